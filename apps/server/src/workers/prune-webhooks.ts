import type { Context } from "../context.ts";
import { pruneEvents } from "../webhooks/prune-events.ts";
import type { Worker } from "./worker.ts";

/** Deletes events and deliveries older than 30 days, a thousand at a time. */
export function createPruneWebhooksWorker(context: Context): Worker {
  return {
    name: "prune-webhooks",
    queue: "housekeeping",
    pollMs: 10 * 60_000,
    runOnce: () => pruneEvents(context, 1_000),
  };
}
