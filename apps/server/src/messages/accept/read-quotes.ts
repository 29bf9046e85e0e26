import { adapterFor } from "../../channels/registry.ts";
import type { Conversation } from "../../conversations/conversation.ts";
import type { Tx } from "../../db/database.ts";
import { AppError, invalid } from "../../errors.ts";
import { isId } from "../../lib/ids.ts";
import type { AttachmentJson } from "../../wire/attachment.ts";
import { selectQuotable, type Quotable } from "../record/message-store.ts";
import { quoteAttachment } from "../record/quote.ts";

/** A reply that may quote a message of its conversation. */
interface Quoting {
  readonly replyTo?: string | undefined;
  readonly text: string | null;
  readonly template?: unknown;
}

/** What a reply keeps of the message that it quotes, or why it cannot quote it. */
export type ReadQuote =
  | { readonly ok: true; readonly attachment: AttachmentJson }
  | { readonly ok: false; readonly error: AppError };

/**
 * What each reply keeps of the message that it quotes, or why it cannot; undefined for a reply that quotes none, and for
 * one without a conversation. One statement, and none when no reply quotes.
 */
export async function readQuotes<R extends Quoting>(
  tx: Tx,
  items: readonly R[],
  threadOf: (item: R) => Conversation | undefined,
): Promise<(ReadQuote | undefined)[]> {
  if (items.every(({ replyTo }) => replyTo === undefined)) return items.map(() => undefined);
  const replies = items.map((item) => ({ item, conversation: threadOf(item) }));
  const wanted = replies.flatMap(({ item: { replyTo }, conversation }) =>
    replyTo !== undefined && conversation && isId(replyTo)
      ? [{ workspaceId: conversation.workspaceId, conversationId: conversation.id, id: replyTo }]
      : [],
  );
  const found = new Map(
    wanted.length === 0 ? [] : (await selectQuotable(tx, wanted)).map((one) => [one.id, one]),
  );
  return replies.map(({ item, conversation }) => {
    if (item.replyTo === undefined || !conversation) return undefined;
    const quoted = found.get(item.replyTo);
    const error = refusalOf(item, conversation, quoted);
    if (error) return { ok: false, error };
    if (!quoted || quoted.providerMessageId === null) return undefined;
    const { id, providerMessageId } = quoted;
    return { ok: true, attachment: quoteAttachment({ id, providerMessageId }) };
  });
}

function refusalOf(
  { text, template }: Quoting,
  { id, channelType }: Conversation,
  quoted: Quotable | undefined,
): AppError | null {
  const quotes = adapterFor(channelType).quotes ?? "nothing";
  if (quotes === "nothing")
    return new AppError("NOT_SUPPORTED_HERE", {
      explanation: `a reply on ${channelType} quotes no message: send it without replyTo`,
    });
  if (template) return invalid("replyTo", "goes with a text or with files, not with a template");
  if (quotes === "texts" && (text ?? "") === "")
    return new AppError("NOT_SUPPORTED_HERE", {
      explanation: `on ${channelType} only a text quotes a message: give a text, or send without replyTo`,
    });
  if (quoted?.conversationId !== id)
    return invalid("replyTo", "must be the id of a message of this conversation");
  if (quoted.type === "deleted") return invalid("replyTo", "names a message that was withdrawn");
  return quoted.providerMessageId === null
    ? invalid("replyTo", "names a message that the platform has not taken")
    : null;
}
