import type { Message } from "../messages/record/message.ts";

/** Where a stored message belongs. */
export interface MessagePlace {
  readonly messageId: string;
  readonly conversationId: string | null;
  readonly contactId: string | null;
}

/** Where a message belongs; null without a message. */
export const placeOf = (message: Message | null): MessagePlace | null =>
  message && {
    messageId: message.id,
    conversationId: message.conversationId,
    contactId: message.contactId,
  };
