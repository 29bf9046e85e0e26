import { Type } from "typebox";
import {
  AT,
  count,
  cursorPage,
  ID,
  id,
  nullableId,
  nullableText,
  nullableTime,
  oneOf,
  text,
  time,
  type Shown,
} from "./schema.ts";
import {
  BROADCAST_CHANNEL_TYPES,
  BROADCAST_KINDS,
  BROADCAST_STATUSES,
  RECIPIENT_STATUSES,
  STOP_CODES,
} from "./words.ts";

export const BroadcastJson = Type.Object(
  {
    id: id("The campaign's id."),
    name: text("The team's name for it."),
    channelId: Type.Optional(id("The channel it goes out on. Absent for an SMS campaign.")),
    channelType: oneOf(
      BROADCAST_CHANNEL_TYPES,
      "The kind of channel. An SMS campaign says WHATSAPP: both address the phone number.",
    ),
    kind: oneOf(BROADCAST_KINDS, "What it sends."),
    status: oneOf(BROADCAST_STATUSES, "The state of the campaign."),
    templateId: nullableId("The template that it sends. Null for TEXT and SMS."),
    body: nullableText(
      "The text of TEXT and SMS. Placeholders: {{name}}, {{first_name}}, {{phone}}, {{email}}, {{attribute.NAME}}; an unknown one renders empty. {{first_name|friend}} shows the text after the bar when the contact has no such value.",
    ),
    scheduledAt: nullableTime("When the campaign starts automatically."),
    rateLimitPerMinute: Type.Integer({
      minimum: 10,
      description: "Messages a minute. Halved when the provider answers 429, never below 10.",
    }),
    totalCount: count("Everybody in the audience, with those who are skipped."),
    sentCount: count("Messages that the platform took."),
    deliveredCount: count("Messages that arrived."),
    readCount: count("Messages that were read."),
    failedCount: count("Messages that failed."),
    skippedCount: count("Contacts who opted out or have no address."),
    createdAt: time("When it was made."),
  },
  { $id: "Broadcast", description: "A campaign: one message to many contacts." },
);
export type BroadcastJson = Shown<typeof BroadcastJson>;

export const BroadcastReasonJson = Type.Object(
  {
    code: text(
      `${STOP_CODES.map((code) => `\`${code}\``).join(", ")}, or the code with which the platform refused.`,
    ),
    message: text("What it means and what to do, for a person."),
  },
  {
    $id: "BroadcastReason",
    description:
      "Why Parley paused a campaign, failed it, or made a scheduled one a draft again. Absent where Parley did not, as when a member paused it.",
  },
);
export type BroadcastReasonJson = Shown<typeof BroadcastReasonJson>;

export const RecipientJson = Type.Object(
  {
    contactId: id("The contact."),
    name: nullableText("The contact's name."),
    address: nullableText("Digits, or the customer's id on the channel; null when there is none."),
    status: oneOf(RECIPIENT_STATUSES, "How far the message is."),
    reason: nullableText("Why the contact was skipped, or the code of what failed."),
    detail: nullableText("The reason in the platform's words."),
    messageId: nullableId("The message; null until there is one."),
    sentAt: nullableTime("When the platform took it."),
    deliveredAt: nullableTime("When it arrived."),
    readAt: nullableTime("When it was read."),
  },
  { $id: "Recipient", description: "One contact of a campaign and how far its message is." },
);
export type RecipientJson = Shown<typeof RecipientJson>;

export const RecipientPageJson = cursorPage(
  "RecipientPage",
  RecipientJson,
  "In the order of their contacts.",
);

export const broadcastExample: BroadcastJson = {
  id: ID,
  name: "Black Friday",
  channelId: ID,
  channelType: "WHATSAPP",
  kind: "WHATSAPP_TEMPLATE",
  status: "QUEUED",
  templateId: ID,
  body: null,
  scheduledAt: null,
  rateLimitPerMinute: 4800,
  totalCount: 0,
  sentCount: 0,
  deliveredCount: 0,
  readCount: 0,
  failedCount: 0,
  skippedCount: 0,
  createdAt: AT,
};

export const recipientExample: RecipientJson = {
  contactId: ID,
  name: "Sara Haddad",
  address: "201001234567",
  status: "delivered",
  reason: null,
  detail: null,
  messageId: ID,
  sentAt: AT,
  deliveredAt: AT,
  readAt: null,
};
