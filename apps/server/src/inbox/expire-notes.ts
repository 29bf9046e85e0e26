import type { Tx } from "../db/database.ts";
import { lockConversations } from "../conversations/touch-conversations.ts";
import { blankPreviews } from "../desk/expire-previews.ts";
import { lowestIdAt } from "../lib/ids.ts";
import { deleteNoticesOfNotes } from "../workspaces/member-notice.ts";
import { deleteNotes, selectOldNotes } from "./note-store.ts";
import { deleteSettledOf } from "./suggestion-store.ts";

/**
 * Deletes the oldest notes that their workspace keeps no longer, with the notices that repeat them, and suggested
 * replies that were used or discarded before. `more`: there may be more of them.
 */
export async function expireNotes(
  tx: Tx,
  workspaceId: string,
  before: Date,
  limit: number,
): Promise<{ readonly notes: number; readonly more: boolean }> {
  const below = lowestIdAt(before);
  const found = await selectOldNotes(tx, workspaceId, below, limit);
  const ids = found.map(({ id }) => id);
  const threads = [...new Set(found.map(({ conversationId }) => conversationId))];
  if (ids.length > 0) {
    const conversations = await lockConversations(
      tx,
      threads.map((id) => ({ workspaceId, id })),
    );
    await deleteNoticesOfNotes(tx, workspaceId, threads, ids);
    await deleteNotes(tx, workspaceId, ids);
    await blankPreviews(tx, workspaceId, conversations, below, "note");
  }
  const suggestions = await deleteSettledOf(tx, workspaceId, below, limit);
  return { notes: ids.length, more: ids.length === limit || suggestions === limit };
}
