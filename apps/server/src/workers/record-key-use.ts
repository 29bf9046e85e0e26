import { recordKeyUse } from "../api-keys/record-key-use.ts";
import type { Context } from "../context.ts";
import type { Worker } from "./worker.ts";

/** Writes when keys were last used. It runs behind the requests, so that none of them waits for it. */
export function createRecordKeyUseWorker(context: Context): Worker {
  return {
    name: "record-key-use",
    queue: "housekeeping",
    pollMs: 10_000,
    everyProcess: true,
    runOnce: () => recordKeyUse(context),
  };
}
