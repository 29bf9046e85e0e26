import type { Context } from "../context.ts";
import { runBulkBatch } from "../segments/run-bulk-jobs.ts";
import type { Worker } from "./worker.ts";

/** Makes changes to many contacts, a batch at a time. */
export function createRunBulkJobsWorker(
  context: Pick<Context, "db" | "ids" | "clock" | "wake" | "sealer" | "background" | "topics">,
): Worker {
  return {
    name: "run-bulk-jobs",
    queue: "housekeeping",
    pollMs: 5_000,
    runOnce: async () => ((await runBulkBatch(context)) ? 1 : 0),
  };
}
