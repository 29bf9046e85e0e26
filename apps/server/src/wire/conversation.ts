import { Type } from "typebox";
import {
  AT,
  count,
  cursorPage,
  ID,
  id,
  nullableId,
  nullableTime,
  oneOf,
  time,
  type Shown,
} from "./schema.ts";
import { CHANNEL_TYPES, CONVERSATION_STATUSES } from "./words.ts";

export const ConversationJson = Type.Object(
  {
    id: id("The conversation's id."),
    contactId: id("The customer."),
    channelId: id("The channel."),
    channelType: oneOf(CHANNEL_TYPES, "The kind of channel."),
    status: oneOf(
      CONVERSATION_STATUSES,
      "A customer's message opens a resolved conversation again.",
    ),
    assigneeId: nullableId("The member it is assigned to."),
    labels: Type.Array(Type.String(), { description: "The team's labels." }),
    unreadCount: count("The customer's messages that nobody has read."),
    windowExpiresAt: nullableTime(
      "Until when a free reply may go out (WhatsApp: 24 hours after the customer wrote). Null when the channel has no such window, or when it never opened.",
    ),
    lastMessageAt: nullableTime("When the last message came in or went out."),
    createdAt: time("When it began."),
  },
  { $id: "Conversation", description: "A contact's thread on a channel." },
);
export type ConversationJson = Shown<typeof ConversationJson>;

export const ConversationPageJson = cursorPage(
  "ConversationPage",
  ConversationJson,
  "Newest first.",
);

export const conversationExample: ConversationJson = {
  id: ID,
  contactId: ID,
  channelId: ID,
  channelType: "WHATSAPP",
  status: "open",
  assigneeId: null,
  labels: ["orders"],
  unreadCount: 1,
  windowExpiresAt: AT,
  lastMessageAt: AT,
  createdAt: AT,
};
