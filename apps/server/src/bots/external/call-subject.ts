import { firstNameOf } from "../../chat/first-name.ts";
import { findContact } from "../../contacts/identity/find-contact.ts";
import type { Context } from "../../context.ts";
import { findConversation } from "../../conversations/find-conversation.ts";
import type { BotCallSubject } from "../../wire/bot-call.ts";
import { localeOf } from "../hand-over/hand-over-words.ts";
import type { BotMessage } from "../thread/talk-store.ts";

/** The customer and the conversation of a bot's call, as the database has them; null: the conversation was deleted. */
export async function subjectOf(
  context: Pick<Context, "db">,
  {
    workspaceId,
    botId,
    conversationId,
  }: Pick<BotCallSubject, "workspaceId" | "botId" | "conversationId">,
  messages: readonly Pick<BotMessage, "from" | "text">[],
): Promise<BotCallSubject | null> {
  const conversation = await findConversation(context, workspaceId, conversationId);
  if (!conversation) return null;
  const { contactId, channelType, externalId } = conversation;
  const contact = await findContact(context.db, workspaceId, contactId);
  const firstName = contact?.name ? (firstNameOf(contact.name) ?? null) : null;
  return {
    workspaceId,
    botId,
    conversationId,
    channelType,
    contact: { id: contactId, externalId, firstName, language: localeOf(messages) },
  };
}
