import { sql, type Sql } from "../../db/sql.ts";

/** What other systems call a contact, as JSON text in a statement: `{"crm":"42"}`, `{}` without any. Read by the index of its contact. */
export const refsOf = (
  workspaceId: Sql,
  contactId: Sql,
): Sql => sql`(select coalesce(jsonb_object_agg(system, value), '{}')::text
  from contact_ref where workspace_id = ${workspaceId} and contact_id = ${contactId} and merged_at is null)`;
