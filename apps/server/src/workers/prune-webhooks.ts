import type { Context } from "../context.ts";
import { resumeEnabling } from "../webhooks/enable-endpoint.ts";
import { sweepDeletedEndpoints } from "../webhooks/delete-endpoint.ts";
import { pruneEvents } from "../webhooks/prune-events.ts";
import type { Worker } from "./worker.ts";

/**
 * Deletes events and deliveries older than 30 days, and deliveries of deleted endpoints, a thousand at a time. Finishes enabling endpoints when a dead
 * process left that half done.
 */
export function createPruneWebhooksWorker(context: Context): Worker {
  return {
    name: "prune-webhooks",
    queue: "housekeeping",
    pollMs: 10 * 60_000,
    runOnce: async () =>
      (await resumeEnabling(context)) +
      (await sweepDeletedEndpoints(context, 1_000)) +
      (await pruneEvents(context, 1_000)),
  };
}
