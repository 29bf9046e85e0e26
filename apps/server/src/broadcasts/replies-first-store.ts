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
  const rows = await tx.query(sql`
    select 1 from message_outbox o join channel c on c.workspace_id = o.workspace_id and c.id = o.channel_id
    where o.workspace_id = ${workspaceId} and o.channel_id = (select channel_id from broadcast
        where workspace_id = ${workspaceId} and id = ${id}) and o.state = 'waiting'
      and o.available_at <= ${now}
      and greatest(o.available_at, c.throttled_until) > ${now}::timestamptz - ${HEAD_START}::interval
    limit 1`);
  return rows.length > 0;
}
