import type { Db, Queryable, Tx } from "../db/database.ts";
import { insertGone, numberGone, selectGone } from "./desk-gone-store.ts";

/** A page that is further behind than so many changes loads its lists anew. */
export const FAR_BEHIND = 2_000;
const AT_ONCE = 500;

/** These conversations are about to be deleted: pages that show them will hear of it. Costs no round trip. */
export function leaveDesk(tx: Tx, workspaceId: string, ids: readonly string[]): void {
  if (ids.length > 0) tx.later(insertGone(tx, workspaceId, ids));
}

/**
 * Tells pages of conversations that were deleted; gives how many. Not in the transaction that deletes them: others of its rows are
 * still to be locked there, and the inbox's number comes last.
 */
export function publishGone(db: Db): Promise<number> {
  return db.transaction((tx) => numberGone(tx, AT_ONCE, FAR_BEHIND));
}

/** Conversations that left the inbox between two of its numbers, the second one included. */
export function goneBetween(
  db: Queryable,
  workspaceId: string,
  after: number,
  upTo: number,
): Promise<string[]> {
  return selectGone(db, workspaceId, after, upTo);
}
