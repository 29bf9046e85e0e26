import type { Tx } from "../db/database.ts";
import { changeDesk, type DeskConversation } from "./desk-change.ts";
import { selectOverPreviews } from "./expiry-store.ts";

/** Those of these conversations whose row shows a message with an id below this one. */
export function overPreviews(
  tx: Tx,
  workspaceId: string,
  ids: readonly string[],
  below: string,
): Promise<string[]> {
  return selectOverPreviews(tx, workspaceId, ids, below, "message");
}

/**
 * Takes the words of a deleted message or note out of the rows of the inbox that show it: they say that it was
 * deleted. All else of a row stays as it is. The conversations must be locked.
 */
export async function blankPreviews(
  tx: Tx,
  workspaceId: string,
  conversations: readonly DeskConversation[],
  below: string,
  shown: "message" | "note" = "message",
): Promise<void> {
  const ids = conversations.map(({ id }) => id);
  const over = new Set(await selectOverPreviews(tx, workspaceId, ids, below, shown));
  changeDesk(
    tx,
    conversations.flatMap((conversation) =>
      over.has(conversation.id)
        ? {
            conversation,
            // A note names no message: the last ids of both sides stay, so that nothing older is taken for new.
            said: { id: conversation.id, kind: "expired", preview: "", side: "note", by: null },
          }
        : [],
    ),
  );
}
