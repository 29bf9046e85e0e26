import { Type } from "typebox";
import { HandlerJson } from "./bot.ts";
import { ContactJson } from "./contact.ts";
import { MemberRecord } from "./member.ts";
import { MessageJson } from "./message.ts";
import {
  AT,
  count,
  ID,
  id,
  nullableId,
  nullableText,
  nullableTime,
  oneOf,
  orNull,
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
    unreadCount: count("The customer's messages that are unread."),
    windowExpiresAt: nullableTime(
      "Until when a free reply may go out (WhatsApp: 24 hours after the customer wrote). Null when the channel has no such window, or when it never opened.",
    ),
    lastMessageAt: nullableTime("When the last message was received or sent."),
    createdAt: time("When it began."),
    handler: HandlerJson,
    snoozedUntil: nullableTime(
      "With the status `snoozed`: when that ends. Null when it has no end.",
    ),
  },
  { $id: "Conversation", description: "A contact's thread on a channel." },
);
export type ConversationJson = Shown<typeof ConversationJson>;

/** What a list of conversations can show beside each: one level, a closed list. */
export const CONVERSATION_PARTS = ["contact", "lastMessage", "assignee"] as const;
export const CONVERSATION_ORDERS = ["newest", "recent", "changes"] as const;

export const ListedConversationJson = Type.Object(
  {
    ...ConversationJson.properties,
    changedAt: Type.Optional(
      time("When it last changed in the inbox. Only in the orders `recent` and `changes`."),
    ),
    contact: Type.Optional(orNull(ContactJson, "With `include=contact`; null once it is deleted.")),
    lastMessage: Type.Optional(
      orNull(MessageJson, "With `include=lastMessage`; null when it has none."),
    ),
    assignee: Type.Optional(orNull(MemberRecord, "With `include=assignee`; null: not assigned.")),
  },
  { $id: "ListedConversation", description: "A conversation with what was asked for beside it." },
);
export type ListedConversationJson = Shown<typeof ListedConversationJson>;

export const ConversationPageJson = Type.Object(
  {
    items: Type.Array(ListedConversationJson, {
      description: "In the order that was asked for, the newest created first without one.",
    }),
    nextCursor: nullableText("Give it as `cursor` to read on, in the same order. Null at the end."),
  },
  {
    $id: "ConversationPage",
    description: "Read on with `cursor` until `nextCursor` is null.",
  },
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
  handler: { kind: "nobody", botId: null },
  snoozedUntil: null,
};
