import type { Queryable } from "../../db/database.ts";
import { sql } from "../../db/sql.ts";
import type { Broadcast } from "../record/broadcast.ts";
import type { PastRun } from "./reached-pace.ts";

/** So many of the newest campaigns are looked at. */
const LOOKED_AT = 50;

/**
 * The newest undisturbed runs of campaigns like this one (same kind and channel), ended after `since` with at least
 * `calls` calls: no pause, no wait, no other pace on the way, no quiet hours, no local times.
 */
export function selectPastRuns(
  db: Queryable,
  { workspaceId, kind, channelId }: Broadcast,
  { since, calls, limit }: { readonly since: Date; readonly calls: number; readonly limit: number },
): Promise<PastRun[]> {
  return db.query<PastRun>(sql`
    select b.rate_limit_per_minute as rate, (b.sent_count + b.failed_count)::float8 as calls,
      extract(epoch from b.completed_at - b.started_at)::float8 as seconds
    from (select * from broadcast where workspace_id = ${workspaceId} order by id desc limit ${LOOKED_AT}) b
    where b.status = 'COMPLETED' and b.kind = ${kind} and b.channel_id is not distinct from ${channelId}::uuid
      and b.completed_at > ${since}::timestamptz and b.sent_count + b.failed_count >= ${calls}
      and b.quiet_from is null and not b.local_time
      and not exists (select 1 from broadcast_entry e where e.workspace_id = b.workspace_id and e.broadcast_id = b.id
        and e.kind not in ('schedule', 'unschedule', 'due', 'start', 'stored', 'complete'))
    order by b.completed_at desc limit ${limit}`);
}
