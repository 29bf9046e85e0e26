import type { Context } from "../context.ts";
import { deleteOldAudit } from "./audit-store.ts";
import { deleteOldNotices } from "./notice-store.ts";

const DAY = 86_400_000;
/** People ask for the audit of this year and of the year before. */
const AUDIT_KEPT_MS = 2 * 365 * DAY;
const NOTICES_KEPT_MS = 90 * DAY;
const BATCH = 1_000;

/**
 * Deletes audit entries after two years. Returns how many. The entry of a workspace's creation stays, because no other
 * entry says who created it (`parley demo reset` needs that).
 */
export function pruneAudit(context: Pick<Context, "db" | "clock">): Promise<number> {
  const before = new Date(context.clock.now().getTime() - AUDIT_KEPT_MS);
  return deleteOldAudit(context.db, before, BATCH);
}

/** Deletes notices to admins after 90 days, except those whose mail still waits. Returns how many. */
export function pruneNotices(context: Pick<Context, "db" | "clock">): Promise<number> {
  const before = new Date(context.clock.now().getTime() - NOTICES_KEPT_MS);
  return deleteOldNotices(context.db, before, BATCH);
}
