import type { Context } from "../context.ts";
import type { Conversation, ConversationStatus } from "./conversation.ts";
import { selectInbox } from "./conversation-store.ts";

/**
 * A page of the inbox: conversations of one status, the last written in first; at most `limit` (default 50, up to
 * 200) from after the `offset`-th on.
 */
export function listConversations(
  context: Pick<Context, "db">,
  workspaceId: string,
  options: {
    readonly status?: ConversationStatus;
    readonly limit?: number;
    readonly offset?: number;
  } = {},
): Promise<Conversation[]> {
  const { status = "open", limit = 50, offset = 0 } = options;
  return selectInbox(context.db, workspaceId, status, Math.min(limit, 200), offset);
}
