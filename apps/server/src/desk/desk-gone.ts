import type { Db, Queryable, Tx } from "../db/database.ts";
import { insertGone, numberGone, selectGone } from "./desk-gone-store.ts";

/** A page that has missed more changes than this loads its lists anew. */
export const FAR_BEHIND = 2_000;
const AT_ONCE = 500;

/** These conversations are about to be deleted. Pages that show them will be told. Costs no round trip. */
export function leaveDesk(tx: Tx, workspaceId: string, ids: readonly string[]): void {
  if (ids.length > 0) tx.later(insertGone(tx, workspaceId, ids));
}

/**
 * Tells pages of conversations that were deleted, and returns how many. Do not call it in the transaction that
 * deletes them: that transaction has more rows to lock, and the inbox's number must be locked last.
 */
export function publishGone(db: Db): Promise<number> {
  return db.transaction((tx) => numberGone(tx, AT_ONCE, FAR_BEHIND));
}

/** Conversations that left the inbox after one number, up to and including another. */
export function goneBetween(
  db: Queryable,
  workspaceId: string,
  after: number,
  upTo: number,
): Promise<string[]> {
  return selectGone(db, workspaceId, after, upTo);
}
