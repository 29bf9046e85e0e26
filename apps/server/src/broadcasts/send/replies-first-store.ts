import type { Tx } from "../../db/database.ts";
import { sql } from "../../db/sql.ts";
import type { BroadcastKey } from "../record/broadcast-store.ts";
import { channelAt } from "../../channels/channel-sql.ts";
import { replyDue, replyDueBetween } from "../../messages/send/outbox-sql.ts";

/**
 * A reply that is due for longer than this waits for something else (an earlier reply of its conversation, a
 * channel in error).
 */
const HEAD_START = "30 seconds";
/** A reply that was accepted a moment ago is being claimed and needs nothing from the campaign. */
const UNDER_WAY = "250 milliseconds";

/**
 * True while a reply of a person has waited for its call on the campaign's channel for more than a moment. The
 * campaign then claims nobody, so that replies go first on the number. When a wait that the platform asked for is
 * over and both come at once, any reply that is due counts. SMS has no waiting replies.
 */
export async function replyWaits(
  tx: Tx,
  { workspaceId, id }: BroadcastKey,
  now: Date,
): Promise<boolean> {
  const until = sql`${now}::timestamptz - ${UNDER_WAY}::interval`;
  const since = sql`${now}::timestamptz - ${HEAD_START}::interval`;
  // Two queries, so that replies due for long are skipped only on a number that had to wait lately: as one query
  // over both times, each batch of a campaign read the backlog of every number of every workspace.
  const rows = await tx.query(sql`
    select 1 from ${channelAt(
      workspaceId,
      sql`(select channel_id from broadcast
        where workspace_id = ${workspaceId} and id = ${id})`,
    )} c
    where ${replyDueBetween(sql`c.workspace_id`, sql`c.id`, since, until)}
      or coalesce(c.throttled_until > ${since}, false) and ${replyDue(sql`c.workspace_id`, sql`c.id`, now)}`);
  return rows.length > 0;
}
