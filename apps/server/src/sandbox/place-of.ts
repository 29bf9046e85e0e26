import type { Message } from "../messages/record/message.ts";

/** How far a message is, in the words of a phone. */
export interface MessagePlace {
  readonly messageId: string;
  readonly conversationId: string | null;
  readonly contactId: string | null;
}

/** How far a message is; null without a message. */
export const placeOf = (message: Message | null): MessagePlace | null =>
  message && {
    messageId: message.id,
    conversationId: message.conversationId,
    contactId: message.contactId,
  };
