import type { Tx } from "../../db/database.ts";
import { sql } from "../../db/sql.ts";
import type { BroadcastKey } from "../record/broadcast-store.ts";

/** A reply that is due for longer than this is held up by something else (its lane, an account in trouble). */
const HEAD_START = "30 seconds";
/** One that was accepted a moment ago is being claimed and needs nothing of the campaign. */
const UNDER_WAY = "250 milliseconds";

/**
 * True while a reply of a person has waited for its call on the campaign's channel for more than a moment: the campaign then
 * takes nobody. So what a number may send goes to replies first. When a wait that the platform asked for is over and both
 * come at once, any reply that is due counts. SMS has no replies that wait.
 */
export async function replyWaits(
  tx: Tx,
  { workspaceId, id }: BroadcastKey,
  now: Date,
): Promise<boolean> {
  const until = sql`${now}::timestamptz - ${UNDER_WAY}::interval`;
  const since = sql`${now}::timestamptz - ${HEAD_START}::interval`;
  const due = sql`message_outbox where state = 'waiting' and available_at <= ${now}`;
  // Two questions, so that what came to be due long ago is passed over only on a number that had to wait lately: as one
  // over both times, each batch of a campaign went through the backlog of every number of every workspace. The offset
  // keeps the first on the index of what is due, however many replies of the workspace wait.
  const rows = await tx.query(sql`
    select 1 from channel c
    where c.workspace_id = ${workspaceId} and c.id = (select channel_id from broadcast
        where workspace_id = ${workspaceId} and id = ${id})
      and ((select 1 from (select workspace_id, channel_id from message_outbox where state = 'waiting'
            and available_at > ${since} and available_at <= ${until} offset 0) o
          where o.workspace_id = c.workspace_id and o.channel_id = c.id limit 1) is not null
        or coalesce(c.throttled_until > ${since}, false) and (select 1 from ${due}
          and workspace_id = c.workspace_id and channel_id = c.id limit 1) is not null)`);
  return rows.length > 0;
}
