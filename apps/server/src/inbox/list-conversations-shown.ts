import type { Actor } from "../actor.ts";
import { findContacts } from "../contacts/identity/find-contact.ts";
import type { Context } from "../context.ts";
import { presentConversation } from "../conversations/conversation.ts";
import {
  listConversationPage,
  type ListedConversation,
} from "../conversations/list-conversations.ts";
import { tidyLabels } from "../conversations/update-conversation.ts";
import { invalid } from "../errors.ts";
import { lastMessages } from "../messages/record/find-message.ts";
import { presentMessage } from "../messages/record/message.ts";
import { conversations } from "../operations/conversations.ts";
import { PAGE_ITEMS } from "../operations/page.ts";
import { permitScope } from "../policies.ts";
import type { CONVERSATION_PARTS, ListedConversationJson } from "../wire/conversation.ts";
import { listMembers } from "../workspaces/list-members.ts";
import { presentTeamMember } from "../workspaces/list-team.ts";
import { perform } from "../write.ts";

type Part = (typeof CONVERSATION_PARTS)[number];
type Whole = Pick<ListedConversation, "id" | "contactId" | "assigneeId">;

/**
 * A page of conversations, each with the parts that were asked for. Throws VALIDATION_FAILED, and MISSING_SCOPE for a part
 * that the key may not read.
 */
export const listConversationsShown = perform(
  conversations.listConversations,
  async (actor, context: Pick<Context, "db">, workspaceId, input) => {
    const { cursor, limit = PAGE_ITEMS, include = [], sort, ...asked } = input;
    permitParts(actor, include);
    const { assigneeId, label, unread, unanswered, updatedAfter, ...plain } = asked;
    const order = sort ?? (updatedAfter === undefined ? "newest" : "changes");
    if (updatedAfter !== undefined && order === "newest")
      throw invalid("sort", "must be changes or recent with updatedAfter");
    const [stored = ""] = tidyLabels([label ?? ""]);
    const page = await listConversationPage(
      context,
      workspaceId,
      {
        ...plain,
        ...(assigneeId !== undefined && { assigneeId: assigneeId === "none" ? null : assigneeId }),
        ...(label !== undefined && { label: stored }),
        ...(unread !== undefined && { unread: unread === "true" }),
        ...(unanswered !== undefined && { unanswered: unanswered === "true" }),
        ...(updatedAfter !== undefined && { updatedAfter: new Date(updatedAfter) }),
      },
      order,
      { cursor, limit },
    );
    const parts = await conversationParts(context, workspaceId, page.conversations, include);
    return {
      items: page.conversations.map((one) => ({
        ...presentConversation(one),
        ...(one.changedAt !== null && { changedAt: new Date(one.changedAt).toISOString() }),
        ...parts(one),
      })),
      nextCursor: page.nextCursor,
    };
  },
);

/** Throws MISSING_SCOPE for a part that the key may not read. */
export function permitParts(actor: Actor, include: readonly Part[]): void {
  if (include.includes("contact")) permitScope(actor, "contacts:read");
  if (include.includes("assignee")) permitScope(actor, "team:read");
}

/** Reads the parts of all conversations of a page at once. */
export async function conversationParts(
  { db }: Pick<Context, "db">,
  workspaceId: string,
  page: readonly Whole[],
  include: readonly Part[],
): Promise<(one: Whole) => Pick<ListedConversationJson, Part>> {
  const asks = (part: Part): boolean => include.includes(part) && page.length > 0;
  const [contacts, messages, members] = await Promise.all([
    asks("contact")
      ? findContacts(
          db,
          workspaceId,
          page.map(({ contactId }) => contactId),
        )
      : [],
    asks("lastMessage")
      ? lastMessages(
          db,
          workspaceId,
          page.map(({ id }) => id),
        )
      : [],
    asks("assignee") ? listMembers(db, workspaceId) : [],
  ]);
  const contactOf = new Map(contacts.map((one) => [one.id, one]));
  const messageOf = new Map(messages.map((one) => [one.conversationId, presentMessage(one)]));
  const memberOf = new Map(members.map((one) => [one.id, presentTeamMember(one)]));
  return ({ id, contactId, assigneeId }) => ({
    ...(include.includes("contact") && { contact: contactOf.get(contactId) ?? null }),
    ...(include.includes("lastMessage") && { lastMessage: messageOf.get(id) ?? null }),
    ...(include.includes("assignee") && { assignee: memberOf.get(assigneeId ?? "") ?? null }),
  });
}
