import { forgetFutureCalls } from "../broadcasts/forget-future.ts";
import type { Context } from "../context.ts";
import { forgetFutureFiles } from "../media/forget-future.ts";
import { forgetFutureReplies } from "../messages/forget-future.ts";
import { forgetFutureDeliveries } from "../webhooks/forget-future.ts";
import type { Worker } from "./worker.ts";

/** Frees what a clock that was wrong for a moment would keep waiting for the day that it showed. */
export function createForgetFutureWorker(context: Context): Worker {
  return {
    name: "forget-future",
    queue: "housekeeping",
    pollMs: 60_000,
    runOnce: async () =>
      (await forgetFutureReplies(context)) +
      (await forgetFutureFiles(context)) +
      (await forgetFutureDeliveries(context)) +
      (await forgetFutureCalls(context)),
  };
}
