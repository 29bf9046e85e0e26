import type { Context } from "../context.ts";
import { isId } from "../lib/ids.ts";
import type { Message } from "./message.ts";
import { selectById, selectThread } from "./message-store.ts";

/** The message, or null when the workspace has none with that id. */
export async function findMessage(
  context: Pick<Context, "db">,
  workspaceId: string,
  id: string,
): Promise<Message | null> {
  return isId(id) ? selectById(context.db, { workspaceId, id }) : null;
}

/** A conversation's messages, newest first, from before a message on; at most `limit` (default 50). */
export async function listMessages(
  context: Pick<Context, "db">,
  workspaceId: string,
  conversationId: string,
  options: { readonly before?: string; readonly limit?: number } = {},
): Promise<Message[]> {
  const { before = null, limit = 50 } = options;
  if (!isId(conversationId) || (before !== null && !isId(before))) return [];
  return selectThread(context.db, workspaceId, conversationId, before, Math.min(limit, 200));
}
