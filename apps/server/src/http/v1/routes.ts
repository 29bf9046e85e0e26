import * as broadcasts from "./broadcasts.ts";
import * as contacts from "./contacts.ts";
import * as messages from "./messages.ts";
import * as otp from "./otp.ts";
import { route, type Route } from "./route.ts";
import * as segments from "./segments.ts";
import { ref } from "./shapes.ts";
import * as templates from "./templates.ts";
import { Type, type TSchema } from "typebox";
import * as usage from "./usage.ts";

const ok = (schema: TSchema, example: unknown) => ({ status: 200 as const, schema, example });
const created = (name: string, example: unknown) => ({
  status: 201 as const,
  schema: ref(name),
  example,
});
const listOf = (name: string) => Type.Array(ref(name));

/** The whole public API (spec, Endpoints). Checks, types, the document and the contract tests follow from it. */
// oxfmt-ignore
export const routes: readonly Route[] = [
  route({
    method: "GET", path: "/contacts", scope: "contacts:read", operationId: "listContacts",
    summary: "List contacts, newest first", query: contacts.ContactQuery,
    success: ok(ref("ContactPage"), { total: 1, page: 1, pageSize: 50, items: [contacts.contactExample] }),
    errors: ["VALIDATION_FAILED"], handler: contacts.getContacts,
  }),
  route({
    method: "POST", path: "/contacts", scope: "contacts:write", operationId: "createContact",
    summary: "Create a contact", body: contacts.NewContact, bodyExample: contacts.newContactExample,
    success: created("Contact", contacts.contactExample),
    errors: ["CONTACT_NEEDS_IDENTITY"], handler: contacts.postContact,
  }),
  route({
    method: "GET", path: "/segments", scope: "contacts:read", operationId: "listSegments",
    summary: "List saved audience segments",
    success: ok(listOf("Segment"), [segments.segmentExample]),
    errors: [], handler: segments.getSegments,
  }),
  route({
    method: "POST", path: "/messages", scope: "messages:write", operationId: "sendMessage",
    summary: "Reply inside an existing conversation", body: messages.NewMessage, bodyExample: messages.newMessageExample,
    success: created("MessageAccepted", messages.messageAcceptedExample),
    errors: ["CONVERSATION_NOT_FOUND", "MESSAGE_LIMIT_REACHED", "SUBSCRIPTION_SUSPENDED"], handler: messages.postMessage,
  }),
  route({
    method: "POST", path: "/otp/send", scope: "otp:send", operationId: "sendOtp",
    summary: "Send a one-time passcode by SMS", body: otp.NewOtp, bodyExample: otp.newOtpExample,
    description: "A send the gateway rejects is 201 with `sent: false`: check `sent`.",
    success: created("SmsResult", otp.smsResultExample),
    errors: ["SMS_PROVIDER_NOT_VERIFIED", "OTP_RATE_LIMITED", "INSUFFICIENT_CREDITS", "SUBSCRIPTION_SUSPENDED"],
    handler: otp.postOtp, recover: otp.recoverOtpCall,
  }),
  route({
    method: "GET", path: "/templates", scope: "templates:read", operationId: "listTemplates",
    summary: "List approved WhatsApp templates, by name",
    success: ok(listOf("Template"), [templates.templateExample]),
    errors: [], handler: templates.getTemplates,
  }),
  route({
    method: "GET", path: "/broadcasts", scope: "broadcasts:read", operationId: "listBroadcasts",
    summary: "List the 100 most recent campaigns, newest first",
    success: ok(listOf("Broadcast"), [broadcasts.broadcastExample]),
    errors: [], handler: broadcasts.getBroadcasts,
  }),
  route({
    method: "POST", path: "/broadcasts/{id}/start", scope: "broadcasts:write", operationId: "startBroadcast",
    summary: "Start or resume a campaign",
    success: created("Broadcast", broadcasts.broadcastExample),
    errors: ["BROADCAST_NOT_STARTABLE", "BROADCAST_NOT_FOUND", "SUBSCRIPTION_SUSPENDED"],
    handler: broadcasts.postBroadcastStart,
  }),
  route({
    method: "GET", path: "/usage", scope: "usage:read", operationId: "getUsage",
    summary: "Usage of the current UTC month",
    success: ok(ref("UsageSummary"), usage.usageExample),
    errors: [], handler: usage.getUsage,
  }),
];
