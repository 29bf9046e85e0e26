import { recordKeyUse } from "../api-keys/record-key-use.ts";
import type { Context } from "../context.ts";
import type { Worker } from "./worker.ts";

/** Writes when keys were last used: lazily, so that no request pays for it. */
export function createRecordKeyUseWorker(context: Context): Worker {
  return {
    name: "record-key-use",
    queue: "housekeeping",
    pollMs: 10_000,
    everyProcess: true,
    runOnce: () => recordKeyUse(context),
  };
}
