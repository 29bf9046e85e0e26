import type { Context } from "../context.ts";
import { deleteOldJobs } from "./bulk-job-store.ts";

/** As long as changes of contacts name the job that made them. */
const KEPT_MS = 365 * 86_400_000;
const BATCH = 1_000;

/** Removes jobs that changed many contacts a year after their end. Gives how many. */
export function pruneJobs(context: Pick<Context, "db" | "clock">): Promise<number> {
  const before = new Date(context.clock.now().getTime() - KEPT_MS);
  return deleteOldJobs(context.db, before, BATCH);
}
