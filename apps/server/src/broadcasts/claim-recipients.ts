import type { Context } from "../context.ts";
import { sql } from "../db/sql.ts";
import { emitEvents } from "../webhooks/emit-events.ts";
import { broadcastStatusEvent, type Broadcast } from "./broadcast.ts";
import { lockRunning, moveBroadcast, updatePace, type BroadcastKey } from "./broadcast-store.ts";
import { allowed, refill, take } from "./pace.ts";
import type { Claim } from "./recipient.ts";
import { claimPending, openRecipients } from "./recipient-store.ts";

export type Claimed =
  | { readonly kind: "claimed"; readonly broadcast: Broadcast; readonly claims: readonly Claim[] }
  | { readonly kind: "completed" }
  /** It does not run, the pace allows none now, or others hold what is open. */
  | { readonly kind: "nothing" };

/**
 * Takes up to `limit` waiting recipients of a running campaign and as many tokens of its pace, under the lock of its
 * row: a pause or cancel comes before this or after it, never between, and two workers share one budget. When nobody
 * is open any more the campaign is completed.
 */
export function claimRecipients(
  context: Context,
  key: BroadcastKey,
  limit: number,
): Promise<Claimed> {
  const now = context.clock.now();
  return context.db.transaction(async (tx): Promise<Claimed> => {
    const locked = await lockRunning(tx, key, now);
    if (locked === null) return { kind: "nothing" };
    const { broadcast } = locked;
    const pace = refill(locked.pace, broadcast.rateLimitPerMinute, now);
    const count = Math.min(limit, allowed(pace));
    const claims = count > 0 ? await claimPending(tx, key, count, now) : [];
    if (claims.length > 0) {
      await updatePace(tx, key, take(pace, claims.length));
      return { kind: "claimed", broadcast, claims };
    }
    const moved = await moveBroadcast(tx, key, "complete", { at: now }, sql`not ${openRecipients}`);
    if (moved === null) return { kind: "nothing" };
    await emitEvents(context, tx, [
      broadcastStatusEvent(moved.broadcast, moved.previousStatus, now),
    ]);
    return { kind: "completed" };
  });
}
