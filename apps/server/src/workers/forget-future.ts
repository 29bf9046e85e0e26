import { forgetFutureWaits } from "../broadcasts/send/forget-future-waits.ts";
import { forgetFutureCalls } from "../broadcasts/send/sweep-recipients.ts";
import type { Context } from "../context.ts";
import { aheadOf } from "../db/database-clock.ts";
import type { Tx } from "../db/database.ts";
import { MOST_AHEAD_MS } from "../lib/clock.ts";
import type { Queue } from "../lib/wake.ts";
import { forgetFutureFiles } from "../media/fetch-media.ts";
import { forgetFutureReplies } from "../messages/send/sweep-messages.ts";
import { forgetFutureThrottles } from "../sending/forget-future-throttles.ts";
import { forgetFutureDeliveries } from "../webhooks/free-endpoints.ts";
import type { Worker } from "./worker.ts";

/**
 * The parts whose rows wait for a time, with the queue to wake when some are due again. Leases of a single row repair
 * themselves.
 */
const PARTS: readonly [forget: (tx: Tx, now: Date) => Promise<number>, queue: Queue | null][] = [
  [forgetFutureReplies, "messages"],
  [forgetFutureFiles, null],
  [forgetFutureDeliveries, "deliveries"],
  [forgetFutureCalls, null],
  [forgetFutureWaits, null],
  [forgetFutureThrottles, "messages"],
];

/**
 * Frees rows that wait for a time far ahead: a clock showed a later day for a moment, and they wait for that day. A
 * process frees nothing when its own clock is behind PostgreSQL's and it could not ask PostgreSQL for the time.
 * Otherwise it would take rows for future ones that others write and hold now.
 */
export function createForgetFutureWorker(context: Context): Worker {
  return {
    name: "forget-future",
    queue: "housekeeping",
    pollMs: 60_000,
    async runOnce() {
      const behindMs = await aheadOf(context.db, context.clock.now());
      if (behindMs > MOST_AHEAD_MS) {
        const minutes = Math.round(behindMs / 60_000);
        context.log.warn({ minutes }, "the clock of this machine is behind PostgreSQL's");
        return 0;
      }
      let count = 0;
      for (const [forget, queue] of PARTS) {
        const moved = await context.db.transaction((tx) => forget(tx, context.clock.now()));
        if (moved > 0 && queue) context.wake.nudge(queue);
        count += moved;
      }
      return count;
    },
  };
}
