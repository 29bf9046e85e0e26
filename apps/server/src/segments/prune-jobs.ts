import type { Context } from "../context.ts";
import { deleteOldRows } from "../db/delete-old-rows.ts";
import { sql } from "../db/sql.ts";

/** As long as changes of contacts name the job that made them. */
const KEPT_MS = 365 * 86_400_000;
const BATCH = 1_000;

/** Removes jobs that changed many contacts a year after their end; gives how many went. */
export function pruneJobs(context: Pick<Context, "db" | "clock">): Promise<number> {
  const before = new Date(context.clock.now().getTime() - KEPT_MS);
  const where = sql`o.finished_at < ${before}`;
  return deleteOldRows(context.db, sql`contact_job`, { before, where, limit: BATCH });
}
