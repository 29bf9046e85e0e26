import type { Message } from "../messages/record/message.ts";

/** Where a message is, as a phone is told. */
export interface MessagePlace {
  readonly messageId: string;
  readonly conversationId: string | null;
  readonly contactId: string | null;
}

/** Where a message is; null without one. */
export const placeOf = (message: Message | null): MessagePlace | null =>
  message && {
    messageId: message.id,
    conversationId: message.conversationId,
    contactId: message.contactId,
  };
