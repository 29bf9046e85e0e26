import { Type, type TObject } from "typebox";
import type { EventKind } from "../../webhooks/event.ts";
import { freeForm, nullableText, nullableTime, ref, time } from "./shapes.ts";

/** The `data` of each event kind (contract §5, Webhook request), for the document's `webhooks` section. */

const text = Type.String();
const texts = Type.Array(text);

export const Message = Type.Object(
  {
    id: text,
    conversationId: nullableText,
    contactId: nullableText,
    direction: Type.Unsafe<string>({ type: "string", enum: ["inbound", "outbound"] }),
    type: text,
    text: nullableText,
    attachments: Type.Array(Type.Unknown()),
    status: Type.Unsafe<string>({
      type: "string",
      enum: ["received", "sent", "delivered", "read", "failed"],
    }),
    errorCode: nullableText,
    errorMessage: nullableText,
    source: Type.Unsafe<string>({
      type: "string",
      enum: ["api", "dashboard", "broadcast", "bot", "channel"],
    }),
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
    channelType: text,
    status: Type.Unsafe<string>({ type: "string", enum: ["open", "snoozed", "resolved"] }),
    assigneeId: nullableText,
    labels: texts,
    unreadCount: Type.Integer(),
    windowExpiresAt: nullableTime,
    lastMessageAt: nullableTime,
    createdAt: time,
  },
  { $id: "Conversation" },
);

const messageFacts = {
  messageId: text,
  conversationId: nullableText,
  contactId: nullableText,
  channelId: nullableText,
  channelType: nullableText,
};
const consent = Type.Object({ contact: ref("Contact"), source: text, occurredAt: time });
const moved = { previousStatus: nullableText, status: text, occurredAt: time };

/** A kind without a shape does not compile. */
export const eventData = {
  "message.status": Type.Object({
    ...messageFacts,
    ...moved,
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
  "broadcast.status": Type.Object({ ...moved, reason: nullableText, broadcast: ref("Broadcast") }),
  "template.status": Type.Object({
    ...moved,
    templateId: text,
    channelId: text,
    metaId: text,
    name: text,
    language: text,
    reason: nullableText,
  }),
  "channel.status": Type.Object({
    ...moved,
    channelId: text,
    channelType: text,
    name: text,
    reason: nullableText,
  }),
  "otp.status": Type.Object({
    ...moved,
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
