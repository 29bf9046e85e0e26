import type { Tx } from "../db/database.ts";
import { sql } from "../db/sql.ts";
import type { BroadcastKey } from "./broadcast-store.ts";

/** A reply that is due for longer than this is held up by something else (its lane, an account in trouble). */
const HEAD_START = "30 seconds";

/**
 * True while a reply of a person waits for its call on the campaign's channel: it then takes nobody. So what a number may
 * send goes to replies first, above all when a wait that the platform asked for is over and both come at once. SMS has no
 * replies that wait.
 */
export async function replyWaits(
  tx: Tx,
  { workspaceId, id }: BroadcastKey,
  now: Date,
): Promise<boolean> {
  const since = sql`${now}::timestamptz - ${HEAD_START}::interval`;
  // What came to be due long ago is counted only on a number that had to wait lately. Asked of the one channel, by the index
  // of what is due: the backlogs of other numbers are not passed over for each batch of a campaign.
  const rows = await tx.query(sql`
    select 1 from channel c
    where c.workspace_id = ${workspaceId} and c.id = (select channel_id from broadcast
        where workspace_id = ${workspaceId} and id = ${id})
      and (select 1 from message_outbox o where o.state = 'waiting' and o.channel_id = c.id
        and o.workspace_id = c.workspace_id and o.available_at <= ${now}
        and o.available_at > case when c.throttled_until > ${since} then '-infinity'::timestamptz else ${since} end
        limit 1) is not null`);
  return rows.length > 0;
}
