import type { Context } from "../context.ts";
import { pruneKeptKeys } from "../master-key/prune-kept-keys.ts";
import type { Worker } from "./worker.ts";

/** Deletes what a rotation of the master key kept for a time. */
export function createPruneKeptKeysWorker(context: Pick<Context, "db" | "sealer">): Worker {
  return {
    name: "prune-kept-keys",
    queue: "housekeeping",
    pollMs: 3_600_000,
    runOnce: () => pruneKeptKeys(context),
  };
}
