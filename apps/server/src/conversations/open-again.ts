import type { Tx } from "../db/database.ts";
import type { Conversation } from "./conversation.ts";
import { writeDesk } from "./conversation-store.ts";

/**
 * Opens a locked conversation that is snoozed or resolved, and gives it to a member of the workspace, or to no one, where
 * `assigneeId` says so. Gives it as it is then; the caller emits the event.
 */
export async function openAgain(
  tx: Tx,
  before: Conversation,
  assigneeId: string | null = before.assigneeId,
): Promise<Conversation> {
  if (before.status === "open" && before.assigneeId === assigneeId) return before;
  const conversation = { ...before, status: "open", assigneeId } as const;
  await writeDesk(tx, conversation);
  return conversation;
}
