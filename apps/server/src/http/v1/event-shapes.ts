import { Type, type TObject } from "typebox";
import { BROADCAST_STATUSES } from "../../broadcasts/record/broadcast.ts";
import { CHANNEL_TYPES } from "../../channels/adapter.ts";
import type { EventKind } from "../../webhooks/event.ts";
import { attachments } from "./attachment-shape.ts";
import {
  count,
  id,
  nullableId,
  nullableOneOf,
  nullableText,
  nullableTime,
  oneOf,
  ref,
  time,
} from "./shapes.ts";

/** The `data` of each event kind (contract §5, Webhook request), for the document's `webhooks` section. */

const text = (description: string) => Type.String({ description });
const OUTBOUND = ["sent", "delivered", "read", "failed"];

export const Message = Type.Object(
  {
    id: id("The message's id."),
    conversationId: nullableId("Its conversation. Null for an SMS."),
    contactId: nullableId("The customer."),
    direction: oneOf(["inbound", "outbound"], "Whether the customer wrote it, or the workspace."),
    type: text(
      "`text`, or what it mainly is: `image`, `audio`, `video`, `document`, `sticker`, `location`, `contacts`, `button`, `interactive`, `order`, `reaction`, `referral`, `template`, `share`, `share_post`, `reel`, `story_mention`, `like_heart`; `unsupported` where the platform does not tell; `deleted` once its sender withdrew it. There may be others.",
    ),
    text: nullableText(
      "What can be shown: the words, a file's caption, the label of a button, the emoji of a reaction.",
    ),
    attachments,
    status: oneOf(
      ["received", ...OUTBOUND],
      "`received` for what a customer wrote. Outbound: `sent` once it is accepted, then `delivered` and `read`, or `failed`.",
    ),
    errorCode: nullableText("Why it failed: the platform's code, or one of ours."),
    errorMessage: nullableText("The same in words."),
    source: oneOf(["api", "dashboard", "broadcast", "bot", "channel"], "Where it was written."),
    providerMessageId: nullableText("Its id at the platform. Null until the platform took it."),
    createdAt: time("When it was stored."),
    sentAt: nullableTime("When the platform took it."),
    deliveredAt: nullableTime("When it arrived."),
    readAt: nullableTime("When it was read."),
  },
  { $id: "Message", description: "One message of a conversation, or one SMS." },
);

export const Conversation = Type.Object(
  {
    id: id("The conversation's id."),
    contactId: id("The customer."),
    channelId: id("The channel."),
    channelType: oneOf(CHANNEL_TYPES, "The kind of channel."),
    status: oneOf(
      ["open", "snoozed", "resolved"],
      "A customer's message opens a resolved one again.",
    ),
    assigneeId: nullableId("The member it is assigned to."),
    labels: Type.Array(Type.String(), { description: "The team's labels." }),
    unreadCount: count("The customer's messages that nobody has read."),
    windowExpiresAt: nullableTime(
      "Until when a free reply may go out (WhatsApp: 24 hours after the customer wrote). Null where there is no such window, or it never opened.",
    ),
    lastMessageAt: nullableTime("When the last message came or went."),
    createdAt: time("When it began."),
  },
  { $id: "Conversation", description: "A contact's thread on a channel." },
);

/** An SMS has neither conversation nor channel. */
const messageFacts = {
  messageId: id("The message."),
  conversationId: nullableId("Its conversation."),
  contactId: nullableId("The customer."),
  channelId: nullableId("The channel."),
  channelType: nullableOneOf(CHANNEL_TYPES, "The kind of channel."),
  contact: Type.Unsafe<object | null>({
    type: ["object", "null"],
    description:
      "Who wrote, or who was written to, as the contact was when the event was stored. Null when the contact is gone.",
    properties: {
      id: id("The contact's id."),
      name: nullableText("The contact's name."),
      phone: nullableText("Digits with the country code, without a plus sign."),
      externalId: nullableText("The contact's id on the channel."),
    },
    required: ["id", "name", "phone", "externalId"],
  }),
};
const occurredAt = time("When it happened.");
const contact = { contact: ref("Contact") };
const consent = Type.Object({
  ...contact,
  source: text("Where the change came from, like `api`, `import` or the channel."),
  occurredAt,
});
const moved = (statuses: readonly string[]) => ({
  previousStatus: nullableOneOf(statuses, "Where it was before. Null when it is new."),
  status: oneOf(statuses, "Where it is now."),
  occurredAt,
});

/** A kind without a shape does not compile. */
export const eventData = {
  "message.status": Type.Object({
    ...messageFacts,
    ...moved(OUTBOUND),
    errorCode: nullableText("Why it failed: the platform's code, or one of ours."),
    errorMessage: nullableText("The same in words."),
  }),
  "message.received": Type.Object({ ...messageFacts, message: ref("Message") }),
  "message.created": Type.Object({ ...messageFacts, message: ref("Message") }),
  "conversation.created": Type.Object({ conversation: ref("Conversation") }),
  "conversation.updated": Type.Object({ conversation: ref("Conversation") }),
  "contact.created": Type.Object(contact),
  "contact.updated": Type.Object(contact),
  "contact.opted_out": consent,
  "contact.opted_in": consent,
  "broadcast.status": Type.Object({
    ...moved(BROADCAST_STATUSES),
    reason: nullableText("Why it paused or failed by itself."),
    broadcast: ref("Broadcast"),
  }),
  // The platform's own words: it adds to them.
  "template.status": Type.Object({
    previousStatus: nullableText("What the platform said before."),
    status: text("What the platform says now, like APPROVED, PAUSED or REJECTED."),
    occurredAt,
    templateId: id("The template."),
    channelId: id("Its channel."),
    metaId: text("Its id at the platform."),
    name: text("Its name."),
    language: text("A language code."),
    reason: nullableText("The platform's reason."),
  }),
  "channel.status": Type.Object({
    ...moved(["connected", "error", "disconnected"]),
    channelId: id("The channel."),
    channelType: oneOf(CHANNEL_TYPES, "Its kind."),
    name: text("Its name."),
    reason: nullableText("Why it is in error."),
  }),
  "otp.status": Type.Object({
    ...moved(["sent", "delivered", "failed", "unknown"]),
    requestId: id("`requestId` of the send."),
    provider: text("The SMS provider."),
    errorCode: nullableText("As `errorCode` of SmsResult."),
    error: nullableText("The gateway's own words."),
  }),
  "usage.threshold": Type.Object({
    percent: Type.Unsafe<number>({
      type: "integer",
      enum: [80, 100],
      description: "How much of the month's messages is used.",
    }),
    limit: count("Messages that the plan allows."),
    usage: count("Messages used at this moment."),
    periodStart: time("The first moment of the month."),
    periodEnd: time("The first moment of the next month."),
  }),
  "endpoint.test": Type.Object({ endpointId: id("The endpoint that was tested."), occurredAt }),
} satisfies Record<EventKind, TObject>;

/** The body of every delivery. */
export const Envelope = Type.Object(
  {
    id: id("The same over every retry, as the header `webhook-id`."),
    type: text("The kind, like `message.status`. It says what `data` holds."),
    apiVersion: text("The version of this document."),
    createdAt: time("When the event was stored."),
    workspaceId: id("The workspace."),
    sequence: Type.Integer({
      minimum: 1,
      description: "Rises by one per event of the workspace, so that a receiver sees a gap.",
    }),
    data: Type.Record(Type.String(), Type.Unknown(), { description: "By the kind." }),
  },
  { $id: "Event", description: "The body of a webhook and an item of the feed." },
);
