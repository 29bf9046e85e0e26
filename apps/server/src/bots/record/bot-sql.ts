import { sql, type Sql } from "../../db/sql.ts";

/** Whether a workspace has a bot that answers. */
export const hasLiveBot = (workspaceId: Sql): Sql =>
  sql`exists (select 1 from bot where workspace_id = ${workspaceId} and status = 'live')`;

/** How many bots count for the plan: all that are not archived. */
export const botCount = (workspaceId: Sql | string): Sql =>
  sql`(select count(*) from bot where workspace_id = ${workspaceId} and status <> 'archived')`;
