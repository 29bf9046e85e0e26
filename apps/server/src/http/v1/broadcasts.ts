import { Type } from "typebox";
import { BROADCAST_STATUSES, presentBroadcast } from "../../broadcasts/broadcast.ts";
import { listBroadcasts } from "../../broadcasts/list-broadcasts.ts";
import { startBroadcast } from "../../broadcasts/start-broadcast.ts";
import type { Call } from "./route.ts";
import { AT, ID, nullableText, nullableTime, time } from "./shapes.ts";

const count = Type.Optional(Type.Integer({ minimum: 0 }));
const oneOf = (values: readonly string[]) => Type.Unsafe<string>({ type: "string", enum: values });

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

export async function getBroadcasts({ context, principal }: Call): Promise<string> {
  const broadcasts = await listBroadcasts(context, principal.workspaceId);
  return `[${broadcasts.map(present).join(",")}]`;
}

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
