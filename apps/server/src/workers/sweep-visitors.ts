import { sweepVisitors } from "../chat/sweep-visitors.ts";
import type { Context } from "../context.ts";
import type { Worker } from "./worker.ts";

/** Deletes visitors of web chat who never wrote. */
export function createSweepVisitorsWorker(context: Context): Worker {
  return {
    name: "sweep-visitors",
    queue: "housekeeping",
    pollMs: 3_600_000,
    runOnce: () => sweepVisitors(context),
  };
}
