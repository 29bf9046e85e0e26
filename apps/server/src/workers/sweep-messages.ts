import type { Context } from "../context.ts";
import { sweepMessages } from "../messages/sweep-messages.ts";
import type { Worker } from "./worker.ts";

/** Ends what stopped workers and silent platforms left open. */
export function createMessageSweeper(context: Context): Worker {
  return {
    name: "sweep-messages",
    queue: "housekeeping",
    pollMs: 5000,
    runOnce: () => sweepMessages(context),
  };
}
