import type { Context } from "../context.ts";
import type { Tx } from "../db/database.ts";
import { findContact } from "../contacts/identity/find-contact.ts";
import { conversationOfContact, findConversation } from "../conversations/find-conversation.ts";
import { openCampaignThreads } from "../conversations/open-campaign-threads.ts";
import { findChannel } from "../channels/list-channels.ts";
import { AppError, invalid, type FaultDetail } from "../errors.ts";
import { isId } from "../lib/ids.ts";
import { findTemplate } from "../templates/list-templates.ts";
import { templateNeeds } from "../templates/template-needs.ts";
import type { OpenedThread } from "../messages/accept/accept-message.ts";
import { memberOf } from "../workspaces/member-notice.ts";
import { write } from "../write.ts";
import { fillTemplate, LONGEST_PART, type FilledTemplate } from "./fill-template.ts";
import { acceptWithAuthor, hashRequest, sentOnce } from "./send-reply.ts";
import type { MessageLine } from "./thread-line.ts";

/** A template message that a member sends. */
export interface DeskTemplate {
  /** The id that the browser gave the message: the same on each retry. */
  readonly clientId: string;
  readonly templateId: string;
  /** One text for each variable: that of a text header, those of the body in their order, those of buttons that need one. */
  readonly variables: readonly string[];
  /** The upload for a header of image, video or document: one file belongs to one message. */
  readonly headerMedia?: string | undefined;
}

/**
 * Sends a template message of the acting member in a conversation, also when its reply window is closed. It is
 * sent as every reply: metered, stored with its words, sent by the outbox; everything else is as in `sendReply`.
 * Throws FORBIDDEN, NOT_FOUND, IDEMPOTENCY_KEY_REUSED, CONTACT_OPTED_OUT, and VALIDATION_FAILED for a template that is not approved,
 * belongs to another channel, or lacks a text or its header's file. That file is uploaded to the platform first;
 * OVERLOADED when the platform cannot accept it now.
 */
export const sendTemplate = write(
  "template.send",
  async (
    actor,
    context: Context,
    workspaceId: string,
    conversationId: string,
    sent: DeskTemplate,
  ): Promise<MessageLine> => {
    const key = { workspaceId, memberId: memberOf(actor), conversationId };
    const { clientId } = sent;
    if (!isId(clientId)) throw invalid("clientId", "must be a UUID in lower case");
    const once = { clientId, requestHash: hashRequest(sent) };
    return sentOnce(context, key, once, async () => {
      const thread = await findConversation(context, workspaceId, conversationId);
      if (!thread) throw new AppError("NOT_FOUND", { explanation: "no such conversation" });
      const input = await fillByMember(context, workspaceId, thread.channelId, sent);
      const reply = { conversationId, ...input };
      return acceptWithAuthor(actor, context, key, { ...once, resendOf: null, input: reply });
    });
  },
);

/**
 * Writes to a contact on a WhatsApp channel with a template, in their conversation there, which is created when
 * there is none. A refused message leaves nothing behind. Throws as `sendTemplate`; NOT_FOUND for an unknown contact or channel, VALIDATION_FAILED for a
 * contact without a number and for a channel without templates.
 */
export const startConversation = write(
  "conversation.start",
  async (
    actor,
    context: Context,
    workspaceId: string,
    contactId: string,
    sent: DeskTemplate & { readonly channelId: string },
  ): Promise<{ readonly conversationId: string; readonly message: MessageLine }> => {
    const memberId = memberOf(actor);
    const { channelId, clientId } = sent;
    if (!isId(clientId)) throw invalid("clientId", "must be a UUID in lower case");
    const [contact, channel] = await Promise.all([
      findContact(context.db, workspaceId, contactId),
      findChannel(context, workspaceId, channelId),
    ]);
    if (!contact) throw new AppError("NOT_FOUND", { explanation: "no such contact" });
    if (channel.type !== "WHATSAPP") throw invalid("channelId", "must be a WhatsApp channel");
    const { phone } = contact;
    if (phone === null) throw invalid("id", "must be a contact with a phone number");
    const on = { workspaceId, channelId, channelType: channel.type };
    const thread = { ...on, contactId: contact.id };
    const asked = { clientId, requestHash: hashRequest({ contactId, ...sent }) };
    const author = { workspaceId, memberId, conversationId: null };
    const message = await sentOnce(context, author, asked, async () => {
      const input = await fillByMember(context, workspaceId, channelId, sent);
      const open = async (tx: Tx): Promise<OpenedThread> => {
        const at = context.clock.now();
        const wants = [{ contactId: contact.id, externalId: phone }];
        const { threads, events } = await openCampaignThreads(context, tx, on, wants, at);
        return { conversationId: threads.get(contact.id)?.id ?? "", events };
      };
      // `open` says in which conversation.
      const key = { workspaceId, memberId, conversationId: "" };
      const once = { ...asked, resendOf: null, input: { conversationId: "", ...input }, open };
      return acceptWithAuthor(actor, context, key, once);
    });
    const conversationId = (await conversationOfContact(context.db, thread)) ?? "";
    return { conversationId, message };
  },
);

/** The message that a member's variables make of a template. Throws VALIDATION_FAILED. */
async function fillByMember(
  context: Context,
  workspaceId: string,
  channelId: string,
  { templateId, variables, headerMedia }: DeskTemplate,
): Promise<FilledTemplate> {
  const template = isId(templateId)
    ? await findTemplate(context.db, workspaceId, templateId)
    : null;
  if (!template || template.channelId !== channelId)
    throw invalid("templateId", "must be a template of the channel");
  const needs = templateNeeds(template.components);
  const required = needs.buttons.filter((button) => button.required);
  const headerCount = needs.headerText === null ? 0 : 1;
  const count = headerCount + needs.body.length + required.length;
  if (variables.length !== count)
    throw invalid("variables", `must be ${count} texts, one for each variable`);
  for (const [index, text] of variables.entries())
    if (text.trim() === "" || text.length > LONGEST_PART)
      throw invalid(`variables[${index}]`, `must be 1 to ${LONGEST_PART} characters`);
  const headerText = headerCount === 1 ? (variables[0] ?? null) : null;
  const parts = {
    body: variables.slice(headerCount, headerCount + needs.body.length),
    headerText,
    headerMedia,
    buttons: required.map(({ index }, n) => ({
      index,
      text: variables[headerCount + needs.body.length + n] ?? "",
    })),
  };
  const refuse = (details: readonly FaultDetail[]) =>
    new AppError("VALIDATION_FAILED", {
      details: details.map((fault) =>
        fault.path === "header.media" ? { ...fault, path: "headerMedia" } : fault,
      ),
    });
  return fillTemplate(context, template, parts, refuse);
}
