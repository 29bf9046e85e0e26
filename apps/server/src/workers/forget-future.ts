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
 * is behind PostgreSQL's frees nothing: it would take what others write and hold now for the future. One that is far off
 * either way says so: receivers refuse webhooks that are signed with such a time.
 */
export function createForgetFutureWorker(context: Context): Worker {
  return {
    name: "forget-future",
    queue: "housekeeping",
    pollMs: 60_000,
    async runOnce() {
      const behindMs = await aheadOf(context.db, context.clock.now());
      if (Math.abs(behindMs) > MOST_AHEAD_MS) {
        const minutes = Math.round(Math.abs(behindMs) / 60_000);
        const way = behindMs > 0 ? "behind" : "ahead of";
        context.log.warn(
          { minutes },
          `the clock of this machine is ${way} PostgreSQL's: receivers refuse its webhooks`,
        );
      }
      if (behindMs > MOST_AHEAD_MS) return 0;
      return (
        (await forgetFutureReplies(context)) +
        (await forgetFutureFiles(context)) +
        (await forgetFutureDeliveries(context)) +
        (await forgetFutureCalls(context))
      );
    },
  };
}
