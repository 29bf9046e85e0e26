import type { Context } from "../context.ts";
import { emitEvents } from "../webhooks/emit-events.ts";
import { broadcastStatusEvent } from "./broadcast.ts";
import { moveBroadcast, selectDue } from "./broadcast-store.ts";

const AT_ONCE = 100;

/** SCHEDULED → QUEUED for campaigns whose time has come, also when it came while nothing ran. Gives how many. */
export async function openDue(context: Context): Promise<number> {
  const at = context.clock.now();
  let opened = 0;
  for (const key of await selectDue(context.db, at, AT_ONCE)) {
    await context.db.transaction(async (tx) => {
      const moved = await moveBroadcast(tx, key, "due", { at });
      if (moved === null) return;
      await emitEvents(context, tx, [
        broadcastStatusEvent(moved.broadcast, moved.previousStatus, at),
      ]);
      opened++;
    });
  }
  return opened;
}
