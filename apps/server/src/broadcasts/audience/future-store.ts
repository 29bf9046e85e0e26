import type { Tx } from "../../db/database.ts";
import { sql } from "../../db/sql.ts";
import type { BroadcastKey } from "../record/broadcast-store.ts";

/** `latest`: for what has happened. `latestWait`: for what waits. */
export interface LatestTimes {
  readonly now: Date;
  readonly latest: Date;
  readonly latestWait: Date;
}

/** Running campaigns whose timeline, or whose recipients to be tried again, are beyond these times. */
export function selectBeyond(tx: Tx, { latest, latestWait }: LatestTimes): Promise<BroadcastKey[]> {
  return tx.query<BroadcastKey>(sql`
    select b.workspace_id as "workspaceId", b.id from broadcast b
    where b.status = 'RUNNING' and (
      exists (select from broadcast_entry e where e.workspace_id = b.workspace_id and e.broadcast_id = b.id
        and e.created_at > ${latest}::timestamptz)
      or exists (select from broadcast_again a where a.workspace_id = b.workspace_id and a.broadcast_id = b.id
        and a.available_at > ${latestWait}::timestamptz))`);
}

/**
 * What happened to these campaigns beyond `latest` happened now, and what waits beyond `latestWait` waits no more. A
 * campaign may wait longer by right, for the morning of its recipients: it then finds so in its next turn. The campaigns
 * are locked.
 */
export async function endWaitsBeyond(
  tx: Tx,
  keys: readonly BroadcastKey[],
  { now, latest, latestWait }: LatestTimes,
): Promise<void> {
  await tx.query(sql`
    with k as (
      select * from unnest(${keys.map((key) => key.workspaceId)}::uuid[], ${keys.map((key) => key.id)}::uuid[])
        as k (workspace_id, id)
    ), entry as (
      update broadcast_entry e set created_at = ${now}::timestamptz from k
      where e.workspace_id = k.workspace_id and e.broadcast_id = k.id and e.created_at > ${latest}::timestamptz
    ), again as (
      update broadcast_again a set available_at = null from k
      where a.workspace_id = k.workspace_id and a.broadcast_id = k.id and a.available_at > ${latestWait}::timestamptz
    )
    update broadcast b set
      throttled_until = case when b.throttled_until > ${latestWait}::timestamptz then null else b.throttled_until end,
      halved_at = case when b.halved_at > ${latest}::timestamptz then ${now}::timestamptz else b.halved_at end
    from k where b.workspace_id = k.workspace_id and b.id = k.id`);
}
