import type { Context } from "../../context.ts";
import { emitEvents } from "../../webhooks/emit-events.ts";
import { broadcastStatusEvent } from "../record/broadcast.ts";
import { moveBroadcast, selectDue } from "../record/broadcast-store.ts";
import { missBroadcast } from "../record/halt-broadcast.ts";
import { scheduledStart, GRACE_MS } from "./send-times.ts";

const AT_ONCE = 100;

/**
 * SCHEDULED → QUEUED for campaigns whose time has come. A time that passed while no process ran counts too, up to
 * six hours later. After that it would reach people at a time that nobody chose: the campaign becomes a draft
 * again, with the reason, and the admins are told. Gives how many moved.
 */
export async function openDue(context: Context): Promise<number> {
  const at = context.clock.now();
  let moves = 0;
  for (const broadcast of await selectDue(context.db, at, AT_ONCE)) {
    const due = scheduledStart(broadcast);
    const { scheduledAt } = broadcast;
    if (due === null || scheduledAt === null || due > at) continue;
    const missed = at.getTime() - scheduledAt.getTime() > GRACE_MS;
    await context.db.transaction(async (tx) => {
      if (missed) {
        const events = await missBroadcast(context, tx, broadcast, scheduledAt);
        moves += events.length;
        return emitEvents(context, tx, events);
      }
      const moved = await moveBroadcast(tx, broadcast, "due", { at });
      if (moved === null) return;
      await emitEvents(context, tx, [
        broadcastStatusEvent(moved.broadcast, moved.previousStatus, at),
      ]);
      moves++;
    });
  }
  return moves;
}
