import type { Context } from "../context.ts";
import { pruneRateWindows } from "../lib/rate-limit/postgres-rate-limits.ts";
import type { Worker } from "./worker.ts";

/** Deletes the times that rate limits keep in PostgreSQL, once they count no more. */
export function createPruneRateWindowsWorker(context: Pick<Context, "db">): Worker {
  return {
    name: "prune-rate-windows",
    queue: "housekeeping",
    pollMs: 3_600_000,
    runOnce: () => pruneRateWindows(context.db),
  };
}
