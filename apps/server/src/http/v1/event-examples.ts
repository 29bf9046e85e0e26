import type { EventData, EventKind } from "../../webhooks/event.ts";
import { broadcastExample } from "./broadcasts.ts";
import { contactExample } from "./contacts.ts";
import { conversationExample, messageExample } from "./conversations.ts";
import { eventExample, messageContactExample } from "./events.ts";
import { AT, ID } from "./shapes.ts";

/** When an event of a kind is sent, in words, and its `data` as an example: for the document's `webhooks` section. */
interface Told {
  readonly when: string;
  readonly data: object;
}

const messageFacts = {
  messageId: ID,
  conversationId: ID,
  contactId: ID,
  channelId: ID,
  channelType: "WHATSAPP",
  contact: messageContactExample,
};
const moved = { previousStatus: null, reason: null, occurredAt: AT };
const received = { direction: "inbound", source: "channel", status: "received", deliveredAt: null };

/** A kind without words does not compile. */
const TOLD = {
  "message.status": {
    when: "A message of yours got further: `delivered`, `read`, or `failed` with its code. Forward only, each once; but the platform's word that it went corrects a `failed`. `previousStatus` is null for a message that failed as it was accepted (131047).",
    data: eventExample.data,
  },
  "message.received": {
    when: "A customer wrote.",
    data: {
      ...messageFacts,
      message: { ...messageExample, ...received, text: "Is the blue jacket back in stock?" },
    },
  },
  "message.created": {
    when: "A message of yours was accepted or went out: `source` says whether this API, a person, a campaign, a bot or the platform's own app sent it. `message` is the whole of it, as it was then.",
    data: {
      ...messageFacts,
      message: {
        ...messageExample,
        source: "dashboard",
        status: "sent",
        providerMessageId: null,
        sentAt: null,
        deliveredAt: null,
      },
    },
  },
  "conversation.created": {
    when: "The first message of a contact on a channel.",
    data: { conversation: conversationExample },
  },
  "conversation.updated": {
    when: "Status, assignee, labels or unread count were changed by a person, a customer's message reopened it, or its contact was merged into another. Not for every message.",
    data: { conversation: { ...conversationExample, status: "resolved", unreadCount: 0 } },
  },
  "contact.created": {
    when: "A contact is new: by this API, a person, an import or a first message.",
    data: { contact: contactExample },
  },
  "contact.updated": {
    when: "A contact was changed; `contact` is the whole of it afterwards.",
    data: { contact: { ...contactExample, tags: ["vip", "tea"] } },
  },
  "contact.opted_out": {
    when: "Somebody wants no campaigns any more; `source` says by what: `stop_word`, `platform`, `import` and others.",
    data: {
      contact: { ...contactExample, optedOut: true, optedOutAt: AT },
      source: "stop_word",
      occurredAt: AT,
    },
  },
  "contact.opted_in": {
    when: "Somebody wants campaigns again; `source` as of `contact.opted_out`.",
    data: { contact: contactExample, source: "stop_word", occurredAt: AT },
  },
  "broadcast.status": {
    when: "A campaign was made or moved to another state; `reason` when it was paused or failed by itself.",
    data: { ...moved, previousStatus: "QUEUED", status: "RUNNING", broadcast: broadcastExample },
  },
  "template.status": {
    when: "The platform approved, refused, paused or removed a template.",
    data: {
      ...moved,
      templateId: ID,
      channelId: ID,
      metaId: "594425479261598",
      name: "order_update",
      language: "ar",
      previousStatus: "PENDING",
      status: "APPROVED",
    },
  },
  "channel.status": {
    when: "A channel was connected or disconnected, or turned to `error`; `reason` says why.",
    data: {
      ...moved,
      channelId: ID,
      channelType: "WHATSAPP",
      name: "Shop",
      previousStatus: "connected",
      status: "error",
      reason: "190: the access token has expired",
    },
  },
  "otp.status": {
    when: "A passcode was `sent`, `delivered` or `failed`, or its outcome is `unknown`. Never its text.",
    data: {
      requestId: ID,
      provider: "twilio",
      previousStatus: "sent",
      status: "delivered",
      errorCode: null,
      error: null,
      occurredAt: AT,
    },
  },
  "usage.threshold": {
    when: "80 or 100 % of the month's messages are used, once each.",
    data: { percent: 80, limit: 500, usage: 400, periodStart: AT, periodEnd: AT },
  },
  "endpoint.test": {
    when: "A person asked for it. It goes to that endpoint alone, whatever kinds it wants.",
    data: { endpointId: ID, occurredAt: AT },
  },
} satisfies { [K in EventKind & keyof EventData]: Told };

/** When `kind` is sent. */
export function whenSent(kind: EventKind): string {
  return TOLD[kind].when;
}

/** A whole body of `kind`. */
export function exampleOf(kind: EventKind): object {
  return { ...eventExample, type: kind, data: TOLD[kind].data };
}
