import { Type, type TObject } from "typebox";
import { BROADCAST_STATUSES } from "../../broadcasts/broadcast.ts";
import { CHANNEL_TYPES } from "../../channels/adapter.ts";
import type { EventKind } from "../../webhooks/event.ts";
import { attachments } from "./attachment-shape.ts";
import { freeForm, nullableOneOf, nullableText, nullableTime, oneOf, ref, time } from "./shapes.ts";

/** The `data` of each event kind (contract §5, Webhook request), for the document's `webhooks` section. */

const text = Type.String();
const texts = Type.Array(text);
const OUTBOUND = ["sent", "delivered", "read", "failed"];

export const Message = Type.Object(
  {
    id: text,
    conversationId: nullableText,
    contactId: nullableText,
    direction: oneOf(["inbound", "outbound"]),
    type: Type.String({
      description:
        "`text`, or what it mainly is: `image`, `audio`, `video`, `document`, `sticker`, `location`, `contacts`, `button`, `interactive`, `order`, `reaction`, `referral`, `template`, `share`, `share_post`, `reel`, `story_mention`, `like_heart`; `unsupported` where the platform does not tell; `deleted` once its sender withdrew it. There may be others.",
    }),
    text: Type.Unsafe<string | null>({
      type: ["string", "null"],
      description:
        "What can be shown: the words, a file's caption, the label of a button, the emoji of a reaction.",
    }),
    attachments,
    status: oneOf(["received", ...OUTBOUND]),
    errorCode: nullableText,
    errorMessage: nullableText,
    source: oneOf(["api", "dashboard", "broadcast", "bot", "channel"]),
    providerMessageId: nullableText,
    createdAt: time,
    sentAt: nullableTime,
    deliveredAt: nullableTime,
    readAt: nullableTime,
  },
  { $id: "Message" },
);

export const Conversation = Type.Object(
  {
    id: text,
    contactId: text,
    channelId: text,
    channelType: oneOf(CHANNEL_TYPES),
    status: oneOf(["open", "snoozed", "resolved"]),
    assigneeId: nullableText,
    labels: texts,
    unreadCount: Type.Integer(),
    windowExpiresAt: nullableTime,
    lastMessageAt: nullableTime,
    createdAt: time,
  },
  { $id: "Conversation" },
);

/** An SMS has neither conversation nor channel. */
const messageFacts = {
  messageId: text,
  conversationId: nullableText,
  contactId: nullableText,
  channelId: nullableText,
  channelType: nullableOneOf(CHANNEL_TYPES),
  contact: Type.Unsafe<object | null>({
    type: ["object", "null"],
    description:
      "Who wrote, or who was written to, as the contact was when the event was stored. Null when the contact is gone.",
    properties: { id: text, name: nullableText, phone: nullableText, externalId: nullableText },
    required: ["id", "name", "phone", "externalId"],
  }),
};
const consent = Type.Object({ contact: ref("Contact"), source: text, occurredAt: time });
const moved = (statuses: readonly string[]) => ({
  previousStatus: nullableOneOf(statuses),
  status: oneOf(statuses),
  occurredAt: time,
});

/** A kind without a shape does not compile. */
export const eventData = {
  "message.status": Type.Object({
    ...messageFacts,
    ...moved(OUTBOUND),
    errorCode: nullableText,
    errorMessage: nullableText,
  }),
  "message.received": Type.Object({ ...messageFacts, message: ref("Message") }),
  "message.created": Type.Object({ ...messageFacts, message: ref("Message") }),
  "conversation.created": Type.Object({ conversation: ref("Conversation") }),
  "conversation.updated": Type.Object({ conversation: ref("Conversation") }),
  "contact.created": Type.Object({ contact: ref("Contact") }),
  "contact.updated": Type.Object({ contact: ref("Contact") }),
  "contact.opted_out": consent,
  "contact.opted_in": consent,
  "broadcast.status": Type.Object({
    ...moved(BROADCAST_STATUSES),
    reason: nullableText,
    broadcast: ref("Broadcast"),
  }),
  // The platform's own words: it adds to them.
  "template.status": Type.Object({
    previousStatus: nullableText,
    status: text,
    occurredAt: time,
    templateId: text,
    channelId: text,
    metaId: text,
    name: text,
    language: text,
    reason: nullableText,
  }),
  "channel.status": Type.Object({
    ...moved(["connected", "error", "disconnected"]),
    channelId: text,
    channelType: oneOf(CHANNEL_TYPES),
    name: text,
    reason: nullableText,
  }),
  "otp.status": Type.Object({
    ...moved(["sent", "delivered", "failed", "unknown"]),
    requestId: text,
    provider: text,
    errorCode: nullableText,
    error: nullableText,
  }),
  "usage.threshold": Type.Object({
    percent: Type.Unsafe<number>({ type: "integer", enum: [80, 100] }),
    limit: Type.Integer(),
    usage: Type.Integer(),
    periodStart: time,
    periodEnd: time,
  }),
  "endpoint.test": Type.Object({ endpointId: text, occurredAt: time }),
} satisfies Record<EventKind, TObject>;

/** The body of every delivery. */
export const Envelope = Type.Object(
  {
    id: Type.String({ description: "The same over every retry, as webhook-id." }),
    type: text,
    apiVersion: text,
    createdAt: time,
    workspaceId: text,
    sequence: Type.Integer({
      description: "Rises by one per event of the workspace: shows a gap.",
    }),
    data: freeForm,
  },
  { $id: "Event" },
);
