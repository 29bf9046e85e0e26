import type { Context } from "../context.ts";
import { runRetentionBatch } from "../removal/run-retention.ts";
import type { Worker } from "./worker.ts";

/** Deletes what workspaces keep no longer, a batch at a time. */
export function createKeepRetentionWorker(context: Context): Worker {
  return {
    name: "keep-retention",
    queue: "housekeeping",
    pollMs: 60_000,
    runOnce: () => runRetentionBatch(context),
  };
}
