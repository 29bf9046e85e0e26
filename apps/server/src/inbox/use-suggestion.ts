import type { Context } from "../context.ts";
import { actorName } from "../actor.ts";
import { findConversation } from "../conversations/find-conversation.ts";
import type { ConversationPatch } from "../conversations/update-conversation.ts";
import { AppError, invalid } from "../errors.ts";
import { isId } from "../lib/ids.ts";
import { acceptMessages, type NewReply } from "../messages/accept/accept-message.ts";
import { suggestions } from "../operations/suggestions.ts";
import { memberOf } from "../workspaces/member-notice.ts";
import { perform, write } from "../write.ts";
import { chooseTemplate, fillChosen } from "./choose-template.ts";
import { acceptWithAuthor, hashRequest, sentOnce } from "./send-reply.ts";
import {
  lockedThread,
  noSuggestion,
  sayChanged,
  settledBefore,
  closeSuggestion,
} from "./suggest-reply.ts";
import { selectSuggestion } from "./suggestion-store.ts";
import { presentSuggestion, type Suggestion } from "./suggestion.ts";
import type { MessageLine } from "./thread-line.ts";

/** What a member makes of a suggested reply. */
export interface UsedSuggestion {
  /** The id that the browser gave the message: the same on each retry. */
  readonly clientId: string;
  /** The text that is sent. A suggested template has none. */
  readonly text?: string | undefined;
  /** Uploads that go along, at most ten. */
  readonly media?: readonly string[] | undefined;
  /** The message of the conversation that it quotes. */
  readonly replyTo?: string | undefined;
  readonly afterwards?: ConversationPatch | undefined;
}

/**
 * Sends a suggested reply as the acting member's own, as `sendReply` sends one. In the same transaction the suggestion is
 * marked as used, or as edited when the text is another. Throws FORBIDDEN, NOT_FOUND, VALIDATION_FAILED,
 * NOT_ALLOWED_IN_STATE for one that is not open, and the errors of replies and templates.
 */
export const useSuggestion = write(
  "suggestion.use",
  async (
    actor,
    context: Context,
    workspaceId: string,
    id: string,
    used: UsedSuggestion,
  ): Promise<{ readonly conversationId: string; readonly message: MessageLine }> => {
    const memberId = memberOf(actor);
    if (!isId(used.clientId)) throw invalid("clientId", "must be a UUID in lower case");
    const suggestion = isId(id) ? await selectSuggestion(context.db, workspaceId, id) : null;
    if (!suggestion) throw noSuggestion();
    const { conversationId } = suggestion;
    const key = { workspaceId, memberId, conversationId };
    const once = { clientId: used.clientId, requestHash: hashRequest({ suggestion: id, ...used }) };
    const message = await sentOnce(context, key, once, async () => {
      if (suggestion.state !== "open") throw settledBefore();
      const input = await replyOf(context, workspaceId, suggestion, used);
      const state = used.media?.length ? "edited" : stateAfter(suggestion, used.text);
      return acceptWithAuthor(actor, context, key, {
        ...once,
        resendOf: null,
        input,
        afterwards: used.afterwards,
        beside: async (tx, messageId) => {
          const end = {
            state,
            settledAt: context.clock.now(),
            settledBy: actorName(actor),
          } as const;
          const thread = await lockedThread(tx, workspaceId, conversationId);
          const ended = await closeSuggestion(context, tx, thread, id, { ...end, messageId });
          if (!ended) throw settledBefore();
        },
      });
    });
    await sayChanged(context, workspaceId, conversationId);
    return { conversationId, message };
  },
);

/**
 * Sends a suggested reply as the operator's, for a workspace without a member; otherwise as `useSuggestion`. Throws
 * NOT_FOUND, VALIDATION_FAILED, NOT_ALLOWED_IN_STATE for one that is not open, and the errors of replies and templates.
 */
export const sendSuggestion = perform(
  suggestions.sendSuggestion,
  async (actor, context: Context, workspaceId, { id, text }, { keep }) => {
    const suggestion = isId(id) ? await selectSuggestion(context.db, workspaceId, id) : null;
    if (!suggestion) throw noSuggestion();
    if (suggestion.state !== "open") throw settledBefore();
    const sent = text ?? (suggestion.template === null ? suggestion.text : undefined);
    const input = await replyOf(context, workspaceId, suggestion, { text: sent });
    const kept = await context.db.transaction(async (tx) => {
      const [settled] = await acceptMessages(context, tx, [{ actor, workspaceId, ...input }]);
      if (!settled?.ok) throw settled?.error ?? new Error("no answer for the message");
      const thread = await lockedThread(tx, workspaceId, suggestion.conversationId);
      const ended = await closeSuggestion(context, tx, thread, id, {
        state: stateAfter(suggestion, sent),
        settledAt: context.clock.now(),
        settledBy: actorName(actor),
        messageId: settled.value.id,
      });
      if (!ended) throw settledBefore();
      return keep(tx, presentSuggestion(ended));
    });
    await sayChanged(context, workspaceId, suggestion.conversationId);
    return kept;
  },
);

/** A template is sent as it is; a text may have been changed. */
const stateAfter = ({ template, text }: Suggestion, sent: string | undefined) =>
  template !== null || sent?.trim() === text.trim() ? "used" : "edited";

async function replyOf(
  context: Context,
  workspaceId: string,
  { conversationId, template }: Suggestion,
  { text, media = [], replyTo }: Pick<UsedSuggestion, "text" | "media" | "replyTo">,
): Promise<NewReply> {
  if (template === null) {
    if (text === undefined || text.trim() === "") throw invalid("text", "must be given");
    return {
      conversationId,
      text,
      ...(media.length > 0 && { attachments: media }),
      ...(replyTo !== undefined && { replyTo }),
    };
  }
  if (text !== undefined || media.length > 0 || replyTo !== undefined)
    throw invalid("text", "a suggested template is sent as it is");
  const thread = await findConversation(context, workspaceId, conversationId);
  if (!thread) throw new AppError("NOT_FOUND", { explanation: "no such conversation" });
  const chosen = await chooseTemplate(context, workspaceId, template, thread.channelId);
  return { conversationId, ...(await fillChosen(context, chosen, template)) };
}
