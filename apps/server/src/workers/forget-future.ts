import { forgetFutureCalls } from "../broadcasts/forget-future.ts";
import type { Context } from "../context.ts";
import { aheadOf } from "../db/database-clock.ts";
import { MOST_AHEAD_MS } from "../lib/clock.ts";
import { forgetFutureFiles } from "../media/forget-future.ts";
import { forgetFutureReplies } from "../messages/forget-future.ts";
import { forgetFutureDeliveries } from "../webhooks/forget-future.ts";
import type { Worker } from "./worker.ts";

/**
 * Frees what a clock that was wrong for a moment would keep waiting for the day that it showed. A process whose own clock
 * is behind PostgreSQL's, which it could not ask for the time, frees nothing: it would take what others write and hold now
 * for the future.
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
      return (
        (await forgetFutureReplies(context)) +
        (await forgetFutureFiles(context)) +
        (await forgetFutureDeliveries(context)) +
        (await forgetFutureCalls(context))
      );
    },
  };
}
