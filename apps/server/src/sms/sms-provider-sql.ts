import { sql, type Sql } from "../db/sql.ts";

/** The sandbox SMS accounts, of every workspace, as rows `workspaceId, id, type, name, apiUrl, verified`. */
export const sandboxAccounts: Sql = sql`
  select workspace_id as "workspaceId", id, 'SMS' as type, 'SMS sandbox' as name, api_url as "apiUrl",
    verified_at is not null as verified
  from sms_provider where sandbox`;
