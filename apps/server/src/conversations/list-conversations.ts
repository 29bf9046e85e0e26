import { findContact } from "../contacts/identity/find-contact.ts";
import type { Context } from "../context.ts";
import { QueryTimeout } from "../db/database.ts";
import { AppError, invalid } from "../errors.ts";
import { cutPage } from "../lib/cut-page.ts";
import { isId } from "../lib/ids.ts";
import { CLOCK, DAY } from "../wire/calendar.ts";
import type { ShownConversation } from "./conversation.ts";
import {
  listedConversations,
  type ListedFilter,
  type ListedOrder,
  type ListedPlace,
} from "./conversation-list-store.ts";
import { pageConversations } from "./page-conversations.ts";

/** A conversation of a list. `changedAt`: ISO 8601 to the microsecond; null in the order `newest`. */
export type ListedConversation = ShownConversation & { readonly changedAt: string | null };

export interface ListedPage {
  readonly conversations: readonly ListedConversation[];
  /** Where to read on, or null at the end. */
  readonly nextCursor: string | null;
}

const MOST = 200;
const LIMIT_MS = 5_000;

/**
 * A page of the workspace's conversations that fit a filter. In the order `newest` nothing moves while somebody reads on. In
 * the order `changes` what changes meanwhile moves to the end, so a copy that reads to the end has all. Ids that do not
 * exist find nothing. Throws VALIDATION_FAILED for a wrong cursor, OVERLOADED when reading takes longer than five seconds.
 */
export async function listConversationPage(
  context: Pick<Context, "db">,
  workspaceId: string,
  filter: ListedFilter,
  order: ListedOrder,
  page: { readonly cursor?: string | undefined; readonly limit: number },
): Promise<ListedPage> {
  const after = placeOf(page.cursor, order);
  const limit = Math.min(page.limit, MOST);
  const { assigneeId, label, unread, unanswered, updatedAfter: _, ...plain } = filter;
  if (
    order === "newest" &&
    assigneeId === undefined &&
    label === undefined &&
    unread === undefined &&
    unanswered === undefined
  ) {
    const { conversations, nextCursor } = await pageConversations(context, workspaceId, plain, {
      cursor: page.cursor,
      limit,
    });
    return { conversations: conversations.map((one) => ({ ...one, changedAt: null })), nextCursor };
  }
  const meant = await withContact(context, workspaceId, filter);
  const rows = meant
    ? await context.db
        .slowQuery<ListedConversation>(
          listedConversations(workspaceId, meant, order, after, limit + 1),
          LIMIT_MS,
          "planned each time",
        )
        .catch((error: unknown) => {
          if (!(error instanceof QueryTimeout)) throw error;
          throw new AppError("OVERLOADED", { retryAfterSeconds: 5 });
        })
    : [];
  const { items, last } = cutPage(rows, limit);
  return { conversations: items, nextCursor: last && cursorOf(last) };
}

const cursorOf = ({ changedAt, id }: ListedConversation): string =>
  changedAt === null ? id : `${changedAt}_${id}`;

const PLACE = new RegExp(`^(?<at>${DAY}T${CLOCK}:[0-5]\\d\\.\\d{6}Z)_(?<id>.+)$`);

function placeOf(cursor: string | undefined, order: ListedOrder): ListedPlace | null {
  if (cursor === undefined) return null;
  const { at = null, id = "" } =
    order === "newest" ? { id: cursor } : (PLACE.exec(cursor)?.groups ?? {});
  if (!isId(id))
    throw invalid("cursor", "must be the nextCursor of the page before, in the same order");
  return { at, id };
}

/** The filter with the contact that a merged one became; null: there is no such contact. */
async function withContact(
  { db }: Pick<Context, "db">,
  workspaceId: string,
  filter: ListedFilter,
): Promise<ListedFilter | null> {
  if (filter.contactId === undefined) return filter;
  const contact = await findContact(db, workspaceId, filter.contactId);
  return contact && { ...filter, contactId: contact.id };
}
