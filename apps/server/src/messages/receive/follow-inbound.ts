import type { Context, InboundMessage } from "../../context.ts";
import type { Tx } from "../../db/database.ts";
import { consentWordOf } from "./consent-words.ts";
import { saysNothing } from "./inbound-content.ts";
import type { Message } from "../record/message.ts";

/**
 * Tells followers of customers' messages that were stored, each with the time it was written; a stop or start word
 * alone is no message to answer, nor is a reaction that was taken back. Their statements go with the commit and cost no round trip.
 */
export function followInbound(
  context: Context,
  tx: Tx,
  stored: readonly { readonly message: Message; readonly at: Date }[],
): void {
  const messages = stored.flatMap(({ message, at }): InboundMessage[] => {
    const { workspaceId, contactId, channelId, id: messageId } = message;
    if (contactId === null || channelId === null || saysNothing(message)) return [];
    if (consentWordOf(message) !== null) return [];
    return [{ workspaceId, contactId, channelId, messageId, at }];
  });
  if (messages.length === 0) return;
  for (const follow of context.inboundFollowers) tx.later(follow(context, tx, messages));
}
