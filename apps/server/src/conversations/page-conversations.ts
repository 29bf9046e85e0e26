import { findContact } from "../contacts/find-contact.ts";
import type { Context } from "../context.ts";
import { isId } from "../lib/ids.ts";
import type { Conversation } from "./conversation.ts";
import { selectOfContact, selectPage, type ConversationFilter } from "./conversation-page-store.ts";

export type { ConversationFilter } from "./conversation-page-store.ts";

export interface ConversationPage {
  readonly conversations: readonly Conversation[];
  /** Where to read on, or null at the end. A page can be short, even empty, and yet not be the last. */
  readonly nextCursor: string | null;
}

export const MAX_CONVERSATION_PAGE = 200;
/** How many conversations one page may pass over in search of those that fit. */
const MOST_LOOKED_AT = 5_000;

/**
 * The workspace's conversations, the newest made first: an order that does not move while somebody reads page after
 * page, as that of the inbox does. A merged contact's are those of the contact it became. Ids that are none, or another
 * workspace's, fit nothing.
 */
export async function pageConversations(
  context: Pick<Context, "db">,
  workspaceId: string,
  filter: ConversationFilter,
  page: { readonly cursor?: string | undefined; readonly limit: number },
): Promise<ConversationPage> {
  const limit = Math.min(page.limit, MAX_CONVERSATION_PAGE);
  const before = page.cursor ?? null;
  const none = { conversations: [], nextCursor: null };
  if ([filter.channelId, before].some((id) => typeof id === "string" && !isId(id))) return none;
  if (filter.contactId !== undefined) {
    const contact = await findContact(context.db, workspaceId, filter.contactId);
    if (!contact) return none;
    const own = { ...filter, contactId: contact.id };
    const rows = await selectOfContact(context.db, workspaceId, own, before, limit);
    return {
      conversations: rows,
      nextCursor: rows.length === limit ? (rows.at(-1)?.id ?? null) : null,
    };
  }
  const filters = filter.status !== undefined || filter.channelId !== undefined;
  const window = filters ? MOST_LOOKED_AT : limit;
  const { rows, scanned, looked } = await selectPage(context.db, workspaceId, filter, before, {
    limit,
    window,
  });
  const full = rows.length === limit ? (rows.at(-1)?.id ?? null) : null;
  return { conversations: rows, nextCursor: full ?? (looked === window ? scanned : null) };
}
