import { Type, type Static } from "typebox";
import { BROADCAST_STATUSES, presentBroadcast } from "../../broadcasts/record/broadcast.ts";
import { findBroadcast } from "../../broadcasts/record/find-broadcast.ts";
import { listBroadcasts } from "../../broadcasts/record/list-broadcasts.ts";
import { listRecipients } from "../../broadcasts/report/list-recipients.ts";
import { startBroadcast } from "../../broadcasts/record/start-broadcast.ts";
import type { Call } from "./route.ts";
import {
  AT,
  count,
  cursorQuery,
  ID,
  id,
  nullableId,
  nullableText,
  nullableTime,
  oneOf,
  ref,
  time,
} from "./shapes.ts";

export const Broadcast = Type.Object(
  {
    id: id("The campaign's id."),
    name: Type.String({ description: "What the team calls it." }),
    channelId: Type.Optional(id("The channel it goes out on. Absent for an SMS campaign.")),
    channelType: oneOf(
      ["WHATSAPP", "TELEGRAM"],
      "The kind of channel. An SMS campaign says WHATSAPP: both address the phone number.",
    ),
    kind: oneOf(["WHATSAPP_TEMPLATE", "TEXT", "SMS"], "What it sends."),
    status: oneOf(BROADCAST_STATUSES, "Where it is."),
    templateId: nullableId("The template that it sends. Null for TEXT and SMS."),
    body: nullableText(
      "The text of TEXT and SMS. Placeholders: {{name}}, {{first_name}}, {{phone}}, {{email}}, {{attribute.NAME}}; an unknown one renders empty. {{first_name|friend}} shows what stands after the bar where the contact has no such value.",
    ),
    scheduledAt: nullableTime("When it starts by itself."),
    rateLimitPerMinute: Type.Integer({
      minimum: 10,
      description: "Messages a minute. Halved when the provider answers 429, never below 10.",
    }),
    totalCount: count("Everybody in the audience, those skipped too."),
    sentCount: count("Messages that the platform took."),
    deliveredCount: count("Messages that arrived."),
    readCount: count("Messages that were read."),
    failedCount: count("Messages that failed."),
    skippedCount: count("Contacts who opted out or have no address."),
    createdAt: time("When it was made."),
  },
  { $id: "Broadcast", description: "A campaign: one message to many contacts." },
);

const RECIPIENT_STATUSES = [
  "pending",
  "sending",
  "sent",
  "delivered",
  "read",
  "failed",
  "skipped",
] as const;

export const Recipient = Type.Object(
  {
    contactId: id("The contact."),
    name: nullableText("The contact's name."),
    address: nullableText("Digits, or the customer's id on the channel; null when there is none."),
    status: oneOf(RECIPIENT_STATUSES, "How far the message is."),
    reason: nullableText("Why the contact was skipped, or the code of what failed."),
    detail: nullableText("The same in the platform's words."),
    messageId: nullableId("The message; null until there is one."),
    sentAt: nullableTime("When the platform took it."),
    deliveredAt: nullableTime("When it arrived."),
    readAt: nullableTime("When it was read."),
  },
  { $id: "Recipient", description: "One contact of a campaign and how far its message is." },
);

export const RecipientQuery = Type.Object({
  status: Type.Optional(
    Type.Unsafe<(typeof RECIPIENT_STATUSES)[number]>({
      type: "string",
      enum: [...RECIPIENT_STATUSES],
      description: "Only recipients in this state.",
      examples: ["failed"],
    }),
  ),
  ...cursorQuery,
});

export const RecipientPage = Type.Object(
  {
    items: Type.Array(ref("Recipient"), { description: "In the order of their contacts." }),
    nextCursor: nullableId("Give it as `cursor` to read on. Null at the end."),
  },
  { $id: "RecipientPage", description: "Read on with `cursor` until `nextCursor` is null." },
);

export const recipientExample = {
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

export const broadcastExample = {
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

const present = (broadcast: Parameters<typeof presentBroadcast>[0]) =>
  JSON.stringify(presentBroadcast(broadcast));

/** GET /v1/broadcasts */
export async function getBroadcasts({ context, principal }: Call): Promise<string> {
  const broadcasts = await listBroadcasts(context, principal.workspaceId);
  return `[${broadcasts.map(present).join(",")}]`;
}

/** POST /v1/broadcasts/{id}/start */
export async function postBroadcastStart({
  context,
  principal,
  params,
  once,
}: Call): Promise<string> {
  const { workspaceId } = principal;
  const options = { ...once(present), actor: `key:${principal.keyId}` };
  return present(await startBroadcast(context, workspaceId, params["id"] ?? "", options));
}

/** GET /v1/broadcasts/{id} */
export async function getBroadcast({ context, principal, params }: Call): Promise<string> {
  return present(await findBroadcast(context, principal.workspaceId, params["id"] ?? ""));
}

/** GET /v1/broadcasts/{id}/recipients */
export async function getRecipients({
  context,
  principal,
  params,
  query,
}: Call<Static<typeof RecipientQuery>>): Promise<string> {
  const { status, cursor, limit = 50 } = query;
  const broadcastId = params["id"] ?? "";
  const page = await listRecipients(context, principal.workspaceId, broadcastId, {
    status,
    after: cursor,
    limit,
  });
  const items = page.items.map((one) => ({
    contactId: one.contactId,
    name: one.name,
    address: one.address,
    status: one.status,
    reason: one.reason,
    detail: one.detail,
    messageId: one.messageId,
    sentAt: one.sentAt,
    deliveredAt: one.deliveredAt,
    readAt: one.readAt,
  }));
  return JSON.stringify({ items, nextCursor: page.next });
}
