import { Type } from "typebox";
import { usageSummary } from "../../usage/usage-summary.ts";
import type { Call } from "./route.ts";
import { ID, nullableInteger, nullableText, ref, time } from "./shapes.ts";

const integer = Type.Integer({ minimum: 0 });

export const ChannelUsage = Type.Object(
  {
    channelId: Type.Optional(nullableText),
    channelType: Type.Optional(nullableText),
    displayName: Type.Optional(nullableText),
    sent: integer,
    received: integer,
    failed: Type.Integer({ minimum: 0, description: "Rejected, yet a slot was spent." }),
    aiReplies: integer,
  },
  { $id: "ChannelUsage" },
);

const byChannel = Type.Array(ref("ChannelUsage"));

export const UsageSummary = Type.Object(
  {
    plan: Type.Unsafe<string>({ type: "string", enum: ["free", "starter", "growth", "business"] }),
    limits: Type.Object(
      {
        messages: nullableInteger,
        seats: nullableInteger,
        bots: nullableInteger,
        channels: nullableInteger,
        aiReplies: nullableInteger,
      },
      { description: "Null: unlimited on this plan." },
    ),
    usage: Type.Object({
      messages: integer,
      seats: integer,
      bots: integer,
      channels: integer,
      aiReplies: integer,
      failed: integer,
      byChannel,
    }),
    period: Type.Optional(
      Type.Object({
        total: integer,
        sent: integer,
        received: integer,
        failed: integer,
        aiReplies: integer,
        byChannel,
      }),
    ),
    periodStart: time,
    periodEnd: time,
    percentUsed: Type.Optional(nullableInteger),
  },
  { $id: "UsageSummary", description: "The calendar month in UTC." },
);

const channels = [
  {
    channelId: ID,
    channelType: "WHATSAPP",
    displayName: "Main line",
    sent: 118,
    received: 240,
    failed: 2,
    aiReplies: 0,
  },
];
export const usageExample = {
  plan: "free",
  limits: { messages: 500, seats: 2, bots: 1, channels: 2, aiReplies: 50 },
  usage: {
    messages: 120,
    seats: 2,
    bots: 0,
    channels: 1,
    aiReplies: 0,
    failed: 2,
    byChannel: channels,
  },
  period: { total: 360, sent: 118, received: 240, failed: 2, aiReplies: 0, byChannel: channels },
  periodStart: "2026-11-01T00:00:00.000Z",
  periodEnd: "2026-12-01T00:00:00.000Z",
  percentUsed: 24,
};

/** GET /v1/usage */
export async function getUsage({ context, principal }: Call): Promise<string> {
  return JSON.stringify(await usageSummary(context, principal.workspaceId));
}
