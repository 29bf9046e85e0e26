import { sql, type Sql } from "../../db/sql.ts";

/** The campaigns that are being sent or about to be, as rows `queue, state, n`. */
export const broadcastQueue: Sql = sql`
  select 'broadcasts' as queue, status as state, count(*) as n
  from broadcast where status in ('QUEUED', 'RUNNING') group by status`;

/**
 * Since when a campaign waits for a worker: its time has passed, or its audience is not stored yet. Null: none waits.
 * One that sends has a pace of its own and does not count.
 */
export const oldestDueBroadcast = (now: Date): Sql => sql`least(
  (select min(scheduled_at) from broadcast
    where status = 'SCHEDULED' and not local_time and scheduled_at <= ${now}::timestamptz),
  (select min(e.at) from broadcast b cross join lateral (
    select max(created_at) as at from broadcast_entry
    where workspace_id = b.workspace_id and broadcast_id = b.id) e where b.status = 'QUEUED'))`;

/** The name of a campaign; null when there is none with that id. */
export const broadcastName = (workspaceId: Sql | string, id: Sql): Sql =>
  sql`(select name from broadcast where workspace_id = ${workspaceId} and id = ${id})`;
