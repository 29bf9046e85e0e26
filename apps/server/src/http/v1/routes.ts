import { changeFaults, contactFaults } from "../../contacts/record/contact-input.ts";
import { declaredKeyRoutes } from "./declared-routes.ts";
import * as broadcasts from "./broadcasts.ts";
import * as contacts from "./contacts.ts";
import * as conversations from "./conversations.ts";
import * as events from "./events.ts";
import * as messages from "./messages.ts";
import * as otp from "./otp.ts";
import { route, type Route, type RouteFace } from "./route.ts";
import * as segments from "./segments.ts";
import * as templates from "./templates.ts";
import { Type, type TSchema } from "typebox";
import { EVENT_SCOPES } from "../../webhooks/event-scopes.ts";
import * as usage from "./usage.ts";
import * as wire from "../../wire/all.ts";
import { ref, type Shown } from "../../wire/schema.ts";

const ok = <S extends TSchema>(schema: S, example: Shown<S>) => ({
  status: 200 as const,
  schema,
  example,
});
const created = <S extends TSchema>(shape: S, example: Shown<S>) => ({
  status: 201 as const,
  schema: ref(shape),
  example,
});

/**
 * Follows `REPLY_WINDOW_HOURS` and `REPLIES_PER_MESSAGE`, and says the same as docs/messages.md; a test compares
 * them.
 */
const REPLY_WINDOW =
  "A reply reaches the customer only while the reply window is open: for 24 hours after the customer last wrote on WhatsApp, Messenger and Instagram, for 48 hours and at most 10 messages on TikTok; Telegram and web chat have no window. `windowExpiresAt` of the conversation says until when. Afterwards the answer is 201 with `status` `failed`: the message is stored with error code `131047` and counts in the quota, and nothing is sent. On WhatsApp a template reaches the customer then: `POST /v1/template-messages`, or a campaign. It sends a text and nothing else: files, buttons and quotes go by `POST /v1/conversations/{id}/messages`.";

const KINDS_BY_SCOPE =
  "A key reads the kinds whose scope it holds: `message.*`, `media.*`, `note.*`, `suggestion.*`, `conversation.*`, `channel.*` and `bot.*` with `messages:read`, `contact.*` with `contacts:read`, `broadcast.*` with `broadcasts:read`, `template.*` with `templates:read`, `usage.*` with `usage:read`, `otp.*` with `otp:send`, `webhook.*` with `webhooks:read`; a key without scopes reads all. For a key with scopes a gap in `sequence` is therefore no loss.";

/** The whole public API (spec, Endpoints). Checks, types, the document and the contract tests are derived from it. */
// oxfmt-ignore
export const routes: readonly Route[] = [
  route({
    method: "GET", path: "/contacts", scope: "contacts:read", operationId: "listContacts",
    summary: "List contacts, newest first", query: contacts.ContactQuery,
    success: ok(ref(wire.ContactPageJson), { total: 1, page: 1, pageSize: 50, items: [wire.contactExample] }),
    errors: ["VALIDATION_FAILED"], handler: contacts.getContacts,
  }),
  route({
    method: "POST", path: "/contacts", scope: "contacts:write", operationId: "createContact",
    summary: "Create a contact", body: wire.NewContact, bodyExample: wire.newContactExample,
    furtherFaults: contactFaults,
    description: "It always creates a contact, and takes no `refs`. `POST /v1/contacts/upsert` takes them, and changes a contact that exists.",
    success: created(wire.ContactJson, wire.contactExample),
    errors: ["CONTACT_NEEDS_IDENTITY"], handler: contacts.postContact,
  }),
  route({
    method: "GET", path: "/segments", scope: "contacts:read", operationId: "listSegments",
    summary: "List saved audience segments",
    success: ok(Type.Array(ref(wire.SegmentJson)), [wire.segmentExample]),
    errors: [], handler: segments.getSegments,
  }),
  route({
    method: "POST", path: "/messages", scope: "messages:write", operationId: "sendMessage",
    summary: "Reply inside an existing conversation", body: wire.NewMessage, bodyExample: wire.newMessageExample,
    description: REPLY_WINDOW,
    success: created(wire.MessageAcceptedJson, wire.messageAcceptedExample),
    errors: ["CONVERSATION_NOT_FOUND", "MESSAGE_LIMIT_REACHED", "SUBSCRIPTION_SUSPENDED"], handler: messages.postMessage,
  }),
  route({
    method: "POST", path: "/otp/send", scope: "otp:send", operationId: "sendOtp",
    summary: "Send a one-time passcode by SMS", body: wire.NewOtp, bodyExample: wire.newOtpExample,
    description: "A send the gateway rejects is 201 with `sent: false`: check `sent`.",
    success: created(wire.SmsResultJson, wire.smsResultExample),
    errors: ["SMS_PROVIDER_NOT_VERIFIED", "OTP_RATE_LIMITED", "INSUFFICIENT_CREDITS", "SUBSCRIPTION_SUSPENDED"],
    handler: otp.postOtp, recover: otp.recoverOtpCall,
  }),
  route({
    method: "GET", path: "/templates", scope: "templates:read", operationId: "listTemplates",
    summary: "List approved WhatsApp templates, by name", query: templates.TemplateQuery,
    success: ok(Type.Array(ref(wire.TemplateJson)), [wire.templateExample]),
    errors: [], handler: templates.getTemplates,
  }),
  route({
    method: "GET", path: "/broadcasts", scope: "broadcasts:read", operationId: "listBroadcasts",
    summary: "List the 100 most recent campaigns, newest first",
    success: ok(Type.Array(ref(wire.BroadcastJson)), [wire.broadcastExample]),
    errors: [], handler: broadcasts.getBroadcasts,
  }),
  route({
    method: "POST", path: "/broadcasts/{id}/start", scope: "broadcasts:write", operationId: "startBroadcast",
    summary: "Start or resume a campaign",
    success: created(wire.BroadcastJson, wire.broadcastExample),
    errors: ["BROADCAST_NOT_STARTABLE", "BROADCAST_NOT_FOUND", "SUBSCRIPTION_SUSPENDED"],
    handler: broadcasts.postBroadcastStart,
  }),
  route({
    method: "GET", path: "/usage", scope: "usage:read", operationId: "getUsage",
    summary: "Usage of the current UTC month",
    success: ok(ref(wire.UsageSummaryJson), wire.usageExample),
    errors: [], handler: usage.getUsage,
  }),

  // Beyond the spec: `/v1` only grows.
  route({
    method: "GET", path: "/contacts/{id}", scope: "contacts:read", operationId: "getContact", versioned: true,
    summary: "One contact", description: "A contact that was merged answers as the one it became.",
    success: ok(ref(wire.ContactJson), wire.contactExample),
    errors: ["NOT_FOUND"], handler: contacts.getContact,
  }),
  route({
    method: "PATCH", path: "/contacts/{id}", scope: "contacts:write", operationId: "updateContact", versioned: true,
    summary: "Change a contact", body: wire.ContactPatch, bodyExample: wire.contactPatchExample, holds: true,
    furtherFaults: changeFaults,
    description: "Emits `contact.updated` when something changed. The same call twice changes nothing more.",
    success: ok(ref(wire.ContactJson), wire.contactExample),
    errors: ["CONTACT_NEEDS_IDENTITY", "NOT_FOUND"], handler: contacts.patchContact,
  }),
  route({
    method: "GET", path: "/conversations/{id}", scope: "messages:read", operationId: "getConversation",
    summary: "One conversation", versioned: true, query: conversations.ConversationQuery,
    description: "`include=contact` also needs the scope `contacts:read`, and `include=assignee` `team:read`.",
    success: ok(ref(wire.ListedConversationJson), wire.conversationExample),
    errors: ["VALIDATION_FAILED", "MISSING_SCOPE:contacts:read", "MISSING_SCOPE:team:read", "NOT_FOUND"],
    handler: conversations.getConversation,
  }),
  route({
    method: "GET", path: "/conversations/{id}/messages", scope: "messages:read", operationId: "listMessages",
    summary: "The messages of a conversation, newest first", query: conversations.MessageQuery,
    success: ok(ref(wire.MessagePageJson), { items: [wire.messageExample], nextCursor: null }),
    errors: ["VALIDATION_FAILED", "NOT_FOUND"], handler: conversations.getMessages,
  }),
  route({
    method: "GET", path: "/messages/{id}", scope: "messages:read", operationId: "getMessage",
    summary: "One message",
    success: ok(ref(wire.MessageJson), wire.messageExample),
    errors: ["NOT_FOUND"], handler: messages.getMessage,
  }),
  route({
    method: "GET", path: "/broadcasts/{id}", scope: "broadcasts:read", operationId: "getBroadcast",
    summary: "One campaign", versioned: true, query: broadcasts.BroadcastQuery,
    description: "The `ETag` is the version of everything that it is made of, also without `include`.",
    success: ok(ref(wire.BroadcastDetailsJson), wire.broadcastExample),
    errors: ["BROADCAST_NOT_FOUND"], handler: broadcasts.getBroadcast,
  }),
  route({
    method: "GET", path: "/broadcasts/{id}/recipients", scope: "broadcasts:read", operationId: "listRecipients",
    summary: "List a campaign's recipients and their delivery status", query: broadcasts.RecipientQuery,
    success: ok(ref(wire.RecipientPageJson), { items: [wire.recipientExample], nextCursor: null }),
    errors: ["VALIDATION_FAILED", "BROADCAST_NOT_FOUND"], handler: broadcasts.getRecipients,
  }),
  route({
    method: "GET", path: "/events", scope: "messages:read", otherScopes: EVENT_SCOPES, operationId: "listEvents",
    summary: "The workspace's events, by sequence", query: events.EventQuery,
    description: "Every event, whether or not an endpoint exists, kept for 30 days: the bodies that webhooks deliver, byte for byte. Without `after` it begins with the oldest. " + KINDS_BY_SCOPE,
    success: ok(ref(wire.EventPageJson), wire.eventPageExample),
    errors: ["VALIDATION_FAILED"], handler: events.getEvents,
  }),
  ...declaredKeyRoutes,
];

/** A file (`recipients-file.ts`). */
// oxfmt-ignore
export const recipientsDownload: RouteFace = {
  method: "GET", path: "/broadcasts/{id}/recipients.csv", scope: "broadcasts:read", operationId: "downloadRecipients",
  summary: "Every recipient of a campaign as a file (CSV)", query: broadcasts.RecipientsFileQuery,
  description: "RFC 4180, header first, in the order of their contacts, times in UTC. It is sent as it is read, so a recipient that changes meanwhile is as it was then. The audit names the key.",
  success: {
    status: 200, schema: { type: "string" }, mediaType: "text/csv",
    example: "contactId,name,address,status,reason,detail,variant,messageId,calledAt,sentAt,deliveredAt,readAt,settledAt,repliedAt,optedOutAt\r\n",
  },
  errors: ["VALIDATION_FAILED", "BROADCAST_NOT_FOUND"],
};

/** The one answer that does not end (`register-event-stream.ts`). */
// oxfmt-ignore
export const eventStream: RouteFace = {
  method: "GET", path: "/events/stream", scope: "messages:read", otherScopes: EVENT_SCOPES, operationId: "streamEvents",
  summary: "The workspace's events as they happen (server-sent events)", query: events.EventStreamQuery,
  description: "Each event has its sequence as `id`, its kind as `event` and the body of the webhook as `data`. It begins after `Last-Event-ID`, else after `after`, else now; the first frame, `open`, names the place. `gap` says that events after that place are no longer kept; `end` why the server ends the stream: `shutdown`, `revoked` (the key), `replaced` (the key has more than five). A comment is sent every 15 seconds. Opening it counts as a request of the key. " + KINDS_BY_SCOPE,
  success: { status: 200, schema: { type: "string" }, example: events.eventStreamExample, mediaType: "text/event-stream" },
  errors: ["VALIDATION_FAILED"],
};
