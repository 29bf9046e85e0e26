import { recordHookCalls } from "../channels/record-hook-calls.ts";
import type { Context } from "../context.ts";
import type { Worker } from "./worker.ts";

/** Writes the counts of platforms' calls. It runs behind the calls, so that none of them waits for it. */
export function createRecordHookCallsWorker(context: Context): Worker {
  return {
    name: "record-hook-calls",
    queue: "housekeeping",
    pollMs: 5_000,
    everyProcess: true,
    runOnce: () => recordHookCalls(context),
  };
}
