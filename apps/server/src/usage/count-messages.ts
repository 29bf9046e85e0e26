import type { Tx } from "../db/database.ts";
import { NIL_ID } from "../lib/ids.ts";
import { dayOf } from "./month.ts";
import { addCounts, type ChannelCount } from "./usage-store.ts";

/**
 * Adds to the meter of each channel, on the day of `at`. That is the day on which the message was stored, even when it
 * fails later (then `sent: -1, failed: 1`). It is one statement however many moves there are. Many transactions write
 * these rows, so call it after all other writes except events.
 */
export function countMessages(
  tx: Tx,
  moves: readonly {
    readonly workspaceId: string;
    /** Null for SMS, which is not a channel. Its meter is stored under the nil UUID. */
    readonly channelId: string | null;
    readonly at: Date;
    readonly sent?: number;
    readonly received?: number;
    readonly failed?: number;
    readonly aiReplies?: number;
  }[],
): Promise<void> {
  const counts = new Map<string, ChannelCount>();
  for (const move of moves) {
    const day = dayOf(move.at);
    const channelId = move.channelId ?? NIL_ID;
    const key = `${move.workspaceId}/${day}/${channelId}`;
    let count = counts.get(key);
    if (!count) {
      const { workspaceId } = move;
      count = { workspaceId, day, channelId, sent: 0, received: 0, failed: 0, aiReplies: 0 };
      counts.set(key, count);
    }
    count.sent += move.sent ?? 0;
    count.received += move.received ?? 0;
    count.failed += move.failed ?? 0;
    count.aiReplies += move.aiReplies ?? 0;
  }
  const real = [...counts.values()].filter(
    (one) => one.sent || one.received || one.failed || one.aiReplies,
  );
  if (real.length > 0) tx.later(addCounts(tx, real));
  return Promise.resolve();
}
