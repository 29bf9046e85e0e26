import type { Context } from "../context.ts";
import { runErasureBatch } from "../persons/run-erasures.ts";
import type { Worker } from "./worker.ts";

/** Runs erasures of persons, a batch at a time. */
export function createErasePersonsWorker(context: Context): Worker {
  return {
    name: "erase-persons",
    queue: "housekeeping",
    pollMs: 5_000,
    runOnce: async () => ((await runErasureBatch(context)) ? 1 : 0),
  };
}
