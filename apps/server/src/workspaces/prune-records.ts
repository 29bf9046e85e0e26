import type { Context } from "../context.ts";
import { deleteOldAudit } from "./audit-store.ts";
import { deleteOldNotices } from "./notice-store.ts";

const DAY = 86_400_000;
/** An audit is asked for by the year, and of the year before. */
const AUDIT_KEPT_MS = 2 * 365 * DAY;
const NOTICES_KEPT_MS = 90 * DAY;
const BATCH = 1_000;

/**
 * Removes entries of the audit after two years; gives how many went. The line of a workspace's creation stays, because
 * no other line says who the workspace belongs to (`parley demo reset`).
 */
export function pruneAudit(context: Pick<Context, "db" | "clock">): Promise<number> {
  const before = new Date(context.clock.now().getTime() - AUDIT_KEPT_MS);
  return deleteOldAudit(context.db, before, BATCH);
}

/** Removes what admins were told more than 90 days ago, but for what is still to be mailed; gives how many went. */
export function pruneNotices(context: Pick<Context, "db" | "clock">): Promise<number> {
  const before = new Date(context.clock.now().getTime() - NOTICES_KEPT_MS);
  return deleteOldNotices(context.db, before, BATCH);
}
