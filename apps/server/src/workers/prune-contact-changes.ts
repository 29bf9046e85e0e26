import type { Context } from "../context.ts";
import { pruneContactChanges } from "../contacts/record/write-changes.ts";
import type { Worker } from "./worker.ts";

/** Deletes recorded changes of contacts after a year. */
export function createPruneContactChangesWorker(context: Pick<Context, "db" | "clock">): Worker {
  return {
    name: "prune-contact-changes",
    queue: "housekeeping",
    pollMs: 3_600_000,
    runOnce: () => pruneContactChanges(context),
  };
}
