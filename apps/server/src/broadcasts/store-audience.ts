import type { Context } from "../context.ts";
import { emitEvents } from "../webhooks/emit-events.ts";
import { audienceOf } from "./audience-of.ts";
import { insertAudience } from "./audience-insert-store.ts";
import { broadcastStatusEvent } from "./broadcast.ts";
import {
  lockQueued,
  moveBroadcast,
  selectBroadcast,
  selectQueued,
  type BroadcastKey,
} from "./broadcast-store.ts";
import { failBroadcast } from "./halt-broadcast.ts";
import { planBroadcast } from "./split-plan.ts";
import { splitRendering } from "./split.ts";

/** Contacts per transaction, fewer while others are being served: a crash repeats at most this much, and a cancel waits at most this long. */
export const AUDIENCE_CHUNK = 5_000;

/** Stores one chunk of the audience of every queued campaign; gives how many campaigns moved on. */
export async function storeAudiences(context: Context): Promise<number> {
  let moved = 0;
  for (const key of await selectQueued(context.db)) {
    try {
      const size = await context.background.size(AUDIENCE_CHUNK);
      if (await context.background.piece(() => storeChunk(context, key, size))) moved++;
    } catch (error) {
      // One campaign's trouble is its own: it is tried again, the others go on.
      context.log.error({ broadcastId: key.id, error: String(error) }, "audience broke off");
    }
  }
  return moved;
}

/**
 * One resumable step of QUEUED → RUNNING: the segment is compiled afresh, the next contacts in the order of their ids
 * become recipients or are recorded as skipped, texts are filled in and frozen, and the cursor moves in the same
 * transaction. The step that finds the end sets RUNNING. A campaign that cannot run becomes FAILED with the reason.
 */
export async function storeChunk(
  context: Context,
  key: BroadcastKey,
  limit: number = AUDIENCE_CHUNK,
): Promise<boolean> {
  const found = await selectBroadcast(context.db, key.workspaceId, key.id);
  if (found?.status !== "QUEUED") return false;
  const plan = await planBroadcast(context, found, "audience");
  const segment = await audienceOf(context, found);
  const reason = "stop" in plan && plan.gone ? plan.stop : segment === null ? "SEGMENT_GONE" : null;
  return context.db.transaction(async (tx) => {
    if (reason !== null || segment === null) {
      const events = await failBroadcast(context, tx, key, reason ?? "SEGMENT_GONE");
      await emitEvents(context, tx, events);
      return events.length > 0;
    }
    const locked = await lockQueued(tx, key);
    if (locked === null) return false;
    const { broadcast, cursor } = locked;
    const rendering = splitRendering(broadcast);
    const now = context.clock.now();
    const stored = await insertAudience(tx, broadcast, segment, rendering, {
      after: cursor,
      limit,
      now,
    });
    if (stored.count === limit) return true;
    const moved = await moveBroadcast(tx, key, "stored", { at: now });
    if (moved)
      await emitEvents(context, tx, [
        broadcastStatusEvent(moved.broadcast, moved.previousStatus, now),
      ]);
    return true;
  });
}
