import type { Context } from "../context.ts";
import { deleteOldRows } from "../db/delete-old-rows.ts";
import { sql } from "../db/sql.ts";

const DAY = 86_400_000;
/** An audit is asked for by the year, and of the year before. */
const AUDIT_KEPT_MS = 2 * 365 * DAY;
const NOTICES_KEPT_MS = 90 * DAY;
const BATCH = 1_000;

/**
 * Removes entries of the audit after two years; gives how many went. The line of a workspace's creation stays: it is the
 * only one that tells whose the workspace is (`parley demo reset`).
 */
export function pruneAudit(context: Pick<Context, "db" | "clock">): Promise<number> {
  return deleteOldRows(context.db, sql`audit_entry`, {
    before: new Date(context.clock.now().getTime() - AUDIT_KEPT_MS),
    where: sql`o.action <> 'workspace.created'`,
    limit: BATCH,
  });
}

/** Removes what admins were told more than 90 days ago, but for what is still to be mailed; gives how many went. */
export function pruneNotices(context: Pick<Context, "db" | "clock">): Promise<number> {
  return deleteOldRows(context.db, sql`notice`, {
    before: new Date(context.clock.now().getTime() - NOTICES_KEPT_MS),
    where: sql`o.mail_due_at is null`,
    limit: BATCH,
  });
}
