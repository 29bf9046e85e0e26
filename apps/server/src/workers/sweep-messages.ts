import type { Context } from "../context.ts";
import { sweepMessages } from "../messages/send/sweep-messages.ts";
import type { Worker } from "./worker.ts";

const LONG_EVERY_MS = 60_000;

/** Ends what stopped workers and silent platforms left open. */
export function createMessageSweeper(context: Context): Worker {
  let longAt = Number.NEGATIVE_INFINITY;
  return {
    name: "sweep-messages",
    queue: "housekeeping",
    pollMs: 5000,
    runOnce() {
      const now = context.clock.now().getTime();
      const due = Math.abs(now - longAt) >= LONG_EVERY_MS;
      if (due) longAt = now;
      return sweepMessages(context, due ? "long" : "short");
    },
  };
}
