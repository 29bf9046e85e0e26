import { Type, type Static } from "typebox";
import { BROADCAST_STATUSES, presentBroadcast } from "../../broadcasts/broadcast.ts";
import { findBroadcast } from "../../broadcasts/find-broadcast.ts";
import { listBroadcasts } from "../../broadcasts/list-broadcasts.ts";
import { listRecipients } from "../../broadcasts/list-recipients.ts";
import { startBroadcast } from "../../broadcasts/start-broadcast.ts";
import type { Call } from "./route.ts";
import { AT, cursorQuery, ID, nullableText, nullableTime, oneOf, ref, time } from "./shapes.ts";

const count = Type.Optional(Type.Integer({ minimum: 0 }));
export const Broadcast = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    channelId: Type.Optional(Type.String({ description: "Absent for an SMS campaign." })),
    channelType: oneOf(["WHATSAPP", "TELEGRAM"]),
    kind: oneOf(["WHATSAPP_TEMPLATE", "TEXT", "SMS"]),
    status: oneOf(BROADCAST_STATUSES),
    templateId: Type.Optional(nullableText),
    body: Type.Optional(nullableText),
    scheduledAt: Type.Optional(nullableTime),
    rateLimitPerMinute: Type.Optional(Type.Integer({ minimum: 10 })),
    totalCount: count,
    sentCount: count,
    deliveredCount: count,
    readCount: count,
    failedCount: count,
    skippedCount: count,
    createdAt: Type.Optional(time),
  },
  { $id: "Broadcast" },
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
    contactId: Type.String(),
    name: nullableText,
    address: Type.Unsafe<string | null>({
      type: ["string", "null"],
      description: "Digits, or the customer's id on the channel; null when there is none.",
    }),
    status: oneOf(RECIPIENT_STATUSES),
    reason: Type.Unsafe<string | null>({
      type: ["string", "null"],
      description: "Why it was skipped, or the code of what failed.",
    }),
    detail: nullableText,
    messageId: nullableText,
    sentAt: nullableTime,
    deliveredAt: nullableTime,
    readAt: nullableTime,
  },
  { $id: "Recipient" },
);

export const RecipientQuery = Type.Object({
  status: Type.Optional(
    Type.Unsafe<(typeof RECIPIENT_STATUSES)[number]>({
      type: "string",
      enum: [...RECIPIENT_STATUSES],
    }),
  ),
  ...cursorQuery,
});

export const RecipientPage = Type.Object(
  {
    items: Type.Array(ref("Recipient"), { description: "In the order of their contacts." }),
    nextCursor: nullableText,
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
  const id = params["id"] ?? "";
  const page = await listRecipients(context, principal.workspaceId, id, {
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
