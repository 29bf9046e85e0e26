import type { Context } from "../context.ts";
import { findConversation } from "../conversations/find-conversation.ts";
import { updateWithin } from "../conversations/update-conversation.ts";
import { AppError, invalid } from "../errors.ts";
import { acceptMessages, type NewReply } from "../messages/accept/accept-message.ts";
import { checkChoices } from "../messages/record/choices.ts";
import { presentMessage } from "../messages/record/message.ts";
import { conversations } from "../operations/conversations.ts";
import type { InputOf } from "../operations/operation.ts";
import { perform } from "../write.ts";
import { patchOfChange } from "./change-conversation.ts";
import { chooseTemplate, fillChosen } from "./choose-template.ts";

type Sent = InputOf<typeof conversations.sendInConversation>;

/**
 * Sends a message of a program in a conversation, as `acceptMessage` sends every reply, and changes the conversation in
 * the same transaction. Throws NOT_FOUND, VALIDATION_FAILED, ATTACHMENT_REFUSED, NOT_SUPPORTED_HERE, and the errors of templates and limits.
 */
export const sendInConversation = perform(
  conversations.sendInConversation,
  async (actor, context: Context, workspaceId, sent, { keep }) => {
    const { id, afterwards, answers } = sent;
    const patch = afterwards && patchOfChange(context, afterwards, "afterwards.snoozedUntil");
    const thread = await findConversation(context, workspaceId, id);
    if (!thread) throw new AppError("NOT_FOUND", { explanation: "no such conversation" });
    const content = await contentOf(context, workspaceId, thread.channelId, sent);
    return context.db.transaction(async (tx) => {
      const reply = { actor, workspaceId, conversationId: id, ...content };
      const [settled] = await acceptMessages(context, tx, [
        { ...reply, ...(answers !== undefined && { answers }) },
      ]);
      if (!settled?.ok) throw refusalOf(settled?.error);
      if (patch) await updateWithin(actor, context, tx, workspaceId, id, patch);
      return keep(tx, presentMessage(settled.value));
    });
  },
);

/** What is sent: a template, or text and files. */
async function contentOf(
  context: Context,
  workspaceId: string,
  channelId: string,
  { text, attachments = [], choices, replyTo, template, body, header, buttons }: Sent,
): Promise<Omit<NewReply, "conversationId">> {
  if (template) {
    if (choices) throw invalid("choices", "go with a text, not with a template");
    if (replyTo !== undefined)
      throw invalid("replyTo", "goes with a text or with files, not with a template");
    if (text !== undefined || attachments.length > 0)
      throw invalid("template", "goes without text and attachments");
    const given = { template, body, header, buttons };
    const chosen = await chooseTemplate(context, workspaceId, given, channelId);
    return fillChosen(context, chosen, given);
  }
  if (choices) {
    if ((text ?? "") === "") throw invalid("choices", "go with a text");
    checkChoices(choices);
  }
  if (body !== undefined || header !== undefined || buttons !== undefined)
    throw invalid("template", "is needed for body, header and buttons");
  if (text === undefined && attachments.length === 0)
    throw invalid("text", "must be given, or attachments, or a template");
  return {
    text: text ?? null,
    ...(attachments.length > 0 && { attachments }),
    ...(choices && { choices }),
    ...(replyTo !== undefined && { replyTo }),
  };
}

/** The refusal of a file has a code of its own here; the conversation that was deleted meanwhile is not there. */
function refusalOf(error: Error | undefined): Error {
  if (!(error instanceof AppError)) return error ?? new Error("no answer for the message");
  if (error.code === "CONVERSATION_NOT_FOUND") return new AppError("NOT_FOUND", error.facts);
  const ofFile = error.facts.details?.some(({ path }) => path.startsWith("attachments"));
  return error.code === "VALIDATION_FAILED" && ofFile
    ? new AppError("ATTACHMENT_REFUSED", error.facts)
    : error;
}
