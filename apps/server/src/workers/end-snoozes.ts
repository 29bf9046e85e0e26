import type { Context } from "../context.ts";
import { endSnoozes } from "../conversations/end-snoozes.ts";
import type { Worker } from "./worker.ts";

/** Opens conversations whose snooze is over. */
export function createEndSnoozesWorker(context: Context): Worker {
  return {
    name: "end-snoozes",
    queue: "housekeeping",
    pollMs: 1_000,
    runOnce: () => endSnoozes(context, 100),
  };
}
