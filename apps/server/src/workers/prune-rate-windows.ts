import type { Context } from "../context.ts";
import { pruneRateWindows } from "../lib/rate-limit/postgres-rate-limits.ts";
import type { Worker } from "./worker.ts";

/** Forgets the stamps of a rate limit in PostgreSQL once nothing counts any more. */
export function createPruneRateWindowsWorker(context: Pick<Context, "db">): Worker {
  return {
    name: "prune-rate-windows",
    queue: "housekeeping",
    pollMs: 3_600_000,
    runOnce: () => pruneRateWindows(context.db),
  };
}
