import { Type } from "typebox";
import { keyActor } from "../../api-keys/api-key.ts";
import { estimatePrepared } from "../../broadcasts/audience/estimate-broadcast.ts";
import { armsOf } from "../../broadcasts/audience/split.ts";
import type { Broadcast } from "../../broadcasts/record/broadcast.ts";
import { findBroadcast } from "../../broadcasts/record/find-broadcast.ts";
import { findContact } from "../../contacts/identity/find-contact.ts";
import type { Context } from "../../context.ts";
import { conversationOfContact, findConversation } from "../../conversations/find-conversation.ts";
import { QueryTimeout } from "../../db/database.ts";
import { AppError } from "../../errors.ts";
import { chooseTemplate, fillChosen } from "../../inbox/choose-template.ts";
import { suggestReply } from "../../inbox/suggest-reply.ts";
import type { InputOf } from "../../operations/operation.ts";
import type { suggestions } from "../../operations/suggestions.ts";
import { templateMessages } from "../../operations/template-messages.ts";
import { findTemplate } from "../../templates/list-templates.ts";
import { filledBody } from "../../templates/template-needs.ts";
import { bodyCheck, faultless } from "../edge/validation.ts";
import type { AssistantCaller, Input, ToolAnswer } from "./call-tool.ts";
import type { AssistantTool } from "./tools.ts";

/** What is to be sent, for the person who decides. */
interface Proposal {
  /** Recipient and text, in one message to the person at the assistant. */
  readonly describe: string;
  /** Makes it a suggestion, which a member sends. Throws where only a person may do it on a page. */
  readonly suggest: () => Promise<ToolAnswer>;
}

type Suggested = InputOf<typeof suggestions.suggestReply>;

/** Throws NOT_FOUND, and the errors of a template that cannot be sent. */
export async function proposeSend(
  caller: AssistantCaller,
  tool: AssistantTool,
  given: Input,
): Promise<Proposal> {
  switch (tool.name) {
    case "send_reply":
      return replyProposal(caller, given);
    case "send_template":
      return templateProposal(caller, given);
    case "start_broadcast":
      return {
        describe: await describeCampaign(caller, String(given["id"])),
        suggest: byMember(tool),
      };
    case "update_contact": {
      const { id, ...changes } = given;
      const to = await recipientOf(caller, String(id));
      return { describe: `Change ${to}:\n\n${listed(changes)}`, suggest: byMember(tool) };
    }
    default:
      return { describe: `${tool.route.summary}:\n\n${listed(given)}`, suggest: byMember(tool) };
  }
}

/** What no suggestion can hold is done by a member. */
const byMember =
  ({ name }: AssistantTool) =>
  (): never => {
    throw new AppError("FORBIDDEN", {
      explanation: `the key's sends is not free, so a member does this in the dashboard (${name})`,
    });
  };

const listed = (given: Input): string =>
  Object.entries(given)
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
    .join("\n");

/** Which campaign begins, to how many, and with which words. Throws BROADCAST_NOT_FOUND. */
async function describeCampaign(
  { context, principal }: AssistantCaller,
  id: string,
): Promise<string> {
  const { workspaceId } = principal;
  const broadcast = await findBroadcast(context, workspaceId, id);
  const texts = await Promise.all(
    armsOf(broadcast).map(async ({ body, templateId, variables }) => {
      const template = templateId && (await findTemplate(context.db, workspaceId, templateId));
      if (!template) return body ?? "";
      return `${template.name} (${template.language}):\n${filledBody(template.components, variables)}`;
    }),
  );
  const name = JSON.stringify(broadcast.name);
  const begun = broadcast.status === "PAUSED";
  return [
    begun
      ? `Resume the campaign ${name}`
      : `Start the campaign ${name}: ${await reachOf(context, broadcast)}`,
    ...texts,
  ].join("\n\n");
}

/** How many a campaign would reach, in words. */
async function reachOf(context: Context, broadcast: Broadcast): Promise<string> {
  try {
    return (await estimatePrepared(context, broadcast)).summary;
  } catch (error) {
    if (error instanceof QueryTimeout) return "counting its recipients took too long";
    throw error;
  }
}

async function replyProposal(caller: AssistantCaller, given: Input): Promise<Proposal> {
  const { context, principal } = caller;
  const id = String(given["id"]);
  const text = String(given["text"]);
  const thread = await findConversation(context, principal.workspaceId, id);
  if (!thread) throw new AppError("NOT_FOUND", { explanation: "no such conversation" });
  const to = await recipientOf(caller, thread.contactId);
  return {
    describe: `Send to ${to} (${thread.channelType}):\n\n${text}`,
    suggest: () => suggestion(caller, { id, text }),
  };
}

async function templateProposal(caller: AssistantCaller, given: Input): Promise<Proposal> {
  const { context, principal } = caller;
  const { workspaceId } = principal;
  const sent = readTemplate(given);
  const contactId = String(given["contactId"]);
  const chosen = await chooseTemplate(context, workspaceId, sent, sent.channelId);
  const to = await recipientOf(caller, contactId);
  const filled = await fillChosen(context, chosen, sent);
  const values = [sent.header?.text, ...(sent.buttons ?? []).map(({ text }) => text)];
  const beside = values.filter((one) => one !== undefined);
  return {
    describe: [
      `Send the template ${chosen.name} (${chosen.language}) to ${to}:`,
      filled.text,
      ...(beside.length > 0 ? [`With: ${beside.join(" · ")}`] : []),
    ].join("\n\n"),
    async suggest() {
      const on = { workspaceId, channelId: chosen.channelId, contactId };
      const id = await conversationOfContact(context.db, on);
      if (id === null)
        throw new AppError("NOT_FOUND", {
          explanation: `the contact has no conversation on this channel; a member starts one at /contacts/${contactId}`,
        });
      const { body, header, buttons } = sent;
      return suggestion(caller, {
        id,
        template: { id: chosen.id },
        ...(body && { body }),
        ...(header && { header }),
        ...(buttons && { buttons }),
      });
    },
  };
}

const checkTemplate = bodyCheck(
  Type.Object(templateMessages.sendTemplateMessage.input, { additionalProperties: false }),
);

type SentTemplate = InputOf<typeof templateMessages.sendTemplateMessage>;

function readTemplate(given: Input): SentTemplate {
  const sent: SentTemplate = JSON.parse(JSON.stringify(faultless(checkTemplate(given))));
  return sent;
}

async function suggestion(
  { context, principal }: AssistantCaller,
  given: Suggested,
): Promise<ToolAnswer> {
  // Whoever may send may propose: the key's scope was checked for the send.
  const actor = { ...keyActor(principal), scopes: ["messages:draft"] } as const;
  return { ...(await suggestReply(actor, context, principal.workspaceId, given)) };
}

/** How people know the recipient. A name is the customer's own words, so it is in quotes. */
async function recipientOf(
  { context, principal }: AssistantCaller,
  contactId: string,
): Promise<string> {
  const contact = await findContact(context.db, principal.workspaceId, contactId);
  if (!contact) throw new AppError("NOT_FOUND", { explanation: "no such contact" });
  const { name, phone } = contact;
  const parts = [name && JSON.stringify(name.slice(0, 80)), phone && `+${phone}`];
  return parts.filter((one) => Boolean(one)).join(" ") || `contact ${contactId}`;
}
