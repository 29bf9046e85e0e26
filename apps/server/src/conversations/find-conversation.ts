import type { Context } from "../context.ts";
import { isId } from "../lib/ids.ts";
import type { ShownConversation } from "./conversation.ts";
import { selectConversationById } from "./conversation-store.ts";

export {
  selectIdByContact as conversationOfContact,
  selectIdByCustomer as conversationOfCustomer,
  workspaceOfConversation,
} from "./conversation-store.ts";

/** The conversation, or null when the workspace has none with that id. */
export async function findConversation(
  context: Pick<Context, "db">,
  workspaceId: string,
  id: string,
): Promise<ShownConversation | null> {
  if (!isId(id)) return null;
  const [row] = await selectConversationById(context.db, [{ workspaceId, id }]);
  if (!row) return null;
  const { channelStatus: _, ...conversation } = row;
  return conversation;
}

export { selectConversationsAfter as conversationsAfter } from "./conversation-page-store.ts";
