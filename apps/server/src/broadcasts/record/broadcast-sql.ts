import { sql, type Sql } from "../../db/sql.ts";

/** The campaigns that are being sent or about to be, as rows `queue, state, n`. */
export const broadcastQueue: Sql = sql`
  select 'broadcasts' as queue, status as state, count(*) as n
  from broadcast where status in ('QUEUED', 'RUNNING') group by status`;

/** The name of a campaign; null when there is none with that id. */
export const broadcastName = (workspaceId: Sql | string, id: Sql): Sql =>
  sql`(select name from broadcast where workspace_id = ${workspaceId} and id = ${id})`;
