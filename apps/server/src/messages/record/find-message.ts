import type { Context } from "../../context.ts";
import { cutPage } from "../../lib/cut-page.ts";
import { isId } from "../../lib/ids.ts";
import type { Message } from "./message.ts";
import {
  providerKeyOf,
  selectMessageById,
  selectByProviderId,
  selectThread,
  type ProviderKey,
} from "./message-store.ts";

export { selectLastMessages as lastMessages, workspaceOfMessage } from "./message-store.ts";

/** The message, or null when the workspace has none with that id. */
export async function findMessage(
  context: Pick<Context, "db">,
  workspaceId: string,
  id: string,
): Promise<Message | null> {
  return isId(id) ? selectMessageById(context.db, { workspaceId, id }) : null;
}

/** The message that has this id of the platform on a channel, or null. */
export async function findByProviderId(
  context: Pick<Context, "db">,
  key: ProviderKey,
): Promise<Message | null> {
  const known = (await selectByProviderId(context.db, [key])).get(providerKeyOf(key));
  return known
    ? selectMessageById(context.db, { workspaceId: key.workspaceId, id: known.id })
    : null;
}

export interface MessagePage {
  readonly messages: readonly Message[];
  /** Where to read on, or null at the end. */
  readonly nextCursor: string | null;
}

export const MAX_MESSAGE_PAGE = 200;

/**
 * A page of a conversation's messages, newest first: at most `limit` (default 50, most 200), older than the message
 * `before`.
 */
export async function listMessages(
  context: Pick<Context, "db">,
  workspaceId: string,
  conversationId: string,
  options: { readonly before?: string; readonly limit?: number } = {},
): Promise<MessagePage> {
  const { before = null } = options;
  const limit = Math.min(options.limit ?? 50, MAX_MESSAGE_PAGE);
  const unknown = !isId(conversationId) || (before !== null && !isId(before));
  const rows = unknown
    ? []
    : await selectThread(context.db, workspaceId, conversationId, before, limit + 1);
  const { items, last } = cutPage(rows, limit);
  return { messages: items, nextCursor: last?.id ?? null };
}
