import { findContact } from "../contacts/identity/find-contact.ts";
import type { Context } from "../context.ts";
import type { Queryable } from "../db/database.ts";
import { cutPage } from "../lib/cut-page.ts";
import { isId } from "../lib/ids.ts";
import type { ShownConversation } from "./conversation.ts";
import {
  selectFiltered,
  selectOfContact,
  selectPage,
  type ConversationFilter,
} from "./conversation-page-store.ts";

export type { ConversationFilter } from "./conversation-page-store.ts";

export interface ConversationPage {
  readonly conversations: readonly ShownConversation[];
  /** Where to read on, or null at the end. */
  readonly nextCursor: string | null;
}

const MAX_CONVERSATION_PAGE = 200;

/**
 * The workspace's conversations, the newest created first. This order does not move while somebody reads page
 * after page. A conversation that fits the filter all the time is shown exactly once, whatever else changes. The
 * filter of a merged contact means the contact it became. Ids that do not exist, or belong to another workspace,
 * find nothing.
 */
export async function pageConversations(
  context: Pick<Context, "db">,
  workspaceId: string,
  filter: ConversationFilter,
  page: { readonly cursor?: string | undefined; readonly limit: number },
): Promise<ConversationPage> {
  const limit = Math.min(page.limit, MAX_CONVERSATION_PAGE);
  const before = page.cursor ?? null;
  const unknown = [filter.channelId, before].some((id) => typeof id === "string" && !isId(id));
  const rows = unknown ? [] : await select(context.db, workspaceId, filter, before, limit + 1);
  const { items, last } = cutPage(rows, limit);
  return { conversations: items, nextCursor: last?.id ?? null };
}

async function select(
  db: Queryable,
  workspaceId: string,
  filter: ConversationFilter,
  before: string | null,
  limit: number,
): Promise<ShownConversation[]> {
  if (filter.contactId !== undefined) {
    const contact = await findContact(db, workspaceId, filter.contactId);
    if (!contact) return [];
    const own = { ...filter, contactId: contact.id };
    return selectOfContact(db, workspaceId, own, before, limit);
  }
  return filter.status === undefined && filter.channelId === undefined
    ? selectPage(db, workspaceId, before, limit)
    : selectFiltered(db, workspaceId, filter, before, limit);
}
