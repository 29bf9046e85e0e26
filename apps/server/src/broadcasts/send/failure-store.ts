import type { Tx } from "../../db/database.ts";
import { sql } from "../../db/sql.ts";
import type { BroadcastKey } from "../record/broadcast-store.ts";
import type { Called } from "./failure-rate.ts";

/** How many rows are read on each side of the recipients that just failed; other zones' recipients lie between. */
const BELOW = 2_000;
const ABOVE = 500;
const HOUR = "1 hour";

/**
 * The recipients called around these, oldest first: 100 on each side and all between. A platform reports a failure
 * seconds or minutes after it accepted the message, so not the last hundred called count, but those around the
 * failure. Recipients called before the campaign was last resumed, or an hour away, do not count.
 */
export function selectCalledAround(
  tx: Tx,
  key: BroadcastKey,
  contactIds: readonly string[],
): Promise<Called[]> {
  const { workspaceId, id } = key;
  const ofCampaign = sql`r.workspace_id = ${workspaceId} and r.broadcast_id = ${id}`;
  return tx.query<Called>(sql`
    with told as materialized (
      select k.contact_id, r.called_at from unnest(${contactIds}::uuid[]) as k (contact_id)
      cross join lateral (select r.called_at from broadcast_recipient r
        where ${ofCampaign} and r.contact_id = k.contact_id limit 1) r
    ), span as materialized (
      select (select contact_id from told order by contact_id limit 1) as low,
        (select contact_id from told order by contact_id desc limit 1) as high,
        greatest(min(called_at) - ${HOUR}::interval, (select b.resumed_at from broadcast b
          where b.workspace_id = ${workspaceId} and b.id = ${id})) as since, max(called_at) + ${HOUR}::interval as until
      from told
    ), near as (
      (select r.contact_id, r.status, r.reason, r.called_at from span s cross join lateral (
        select * from broadcast_recipient r where ${ofCampaign} and r.contact_id < s.low
        order by r.contact_id desc limit ${BELOW}) r)
      union all
      (select r.contact_id, r.status, r.reason, r.called_at from span s cross join lateral (
        select * from broadcast_recipient r where ${ofCampaign} and r.contact_id between s.low and s.high
        order by r.contact_id desc limit ${BELOW}) r)
      union all
      (select r.contact_id, r.status, r.reason, r.called_at from span s cross join lateral (
        select * from broadcast_recipient r where ${ofCampaign} and r.contact_id > s.high
        order by r.contact_id limit ${ABOVE}) r)
    )
    select n.status = 'failed' and n.reason is distinct from 'BROADCAST_CANCELLED' as failed, n.reason
    from near n, span s
    where n.status not in ('pending', 'skipped') and n.called_at >= s.since and n.called_at <= s.until
    order by n.contact_id`);
}
