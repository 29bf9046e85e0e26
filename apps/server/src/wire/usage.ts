import { Type } from "typebox";
import {
  count,
  ID,
  nullableCount,
  nullableId,
  nullableText,
  oneOf,
  ref,
  time,
  type Shown,
} from "./schema.ts";
import { PLANS } from "./words.ts";

export const ChannelUsageJson = Type.Object(
  {
    channelId: nullableId("The channel; null for SMS."),
    channelType: nullableText("Its kind; null for SMS."),
    displayName: nullableText("Its name."),
    sent: count("Outbound messages."),
    received: count("Inbound messages."),
    failed: count(
      "Outbound messages that were rejected. Each of them spent its slot all the same.",
    ),
    aiReplies: count("Replies written by AI."),
  },
  { $id: "ChannelUsage", description: "The messages of one channel." },
);
export type ChannelUsageJson = Shown<typeof ChannelUsageJson>;

const byChannel = Type.Array(ref(ChannelUsageJson), {
  description: "The messages by channel.",
});

export const UsageSummaryJson = Type.Object(
  {
    plan: oneOf(PLANS, "The workspace's plan."),
    limits: Type.Object(
      {
        messages: nullableCount("Messages a month."),
        seats: nullableCount("Members and open invitations."),
        bots: nullableCount("Bots."),
        channels: nullableCount("Connected channels."),
        aiReplies: nullableCount("Replies written by AI a month."),
      },
      { description: "What the plan allows. Null: unlimited." },
    ),
    usage: Type.Object(
      {
        messages: count("Outbound messages this month, the failed ones too."),
        seats: count("Members and open invitations now."),
        bots: count("Bots now."),
        channels: count("Connected channels now."),
        aiReplies: count("Replies written by AI this month."),
        failed: count("Outbound messages that were rejected this month."),
        byChannel,
      },
      { description: "What is used, under the same names as in `limits`." },
    ),
    period: Type.Object(
      {
        total: count("Sent and received together."),
        sent: count("Outbound messages."),
        received: count("Inbound messages."),
        failed: count("Outbound messages that were rejected."),
        aiReplies: count("Replies written by AI."),
        byChannel,
      },
      { description: "The messages of the month in detail." },
    ),
    periodStart: time("The first moment of the month."),
    periodEnd: time("The first moment of the next month."),
    percentUsed: nullableCount(
      "How much of the messages is used, in whole percent. Null when the plan has no limit.",
    ),
  },
  { $id: "UsageSummary", description: "The calendar month in UTC." },
);
export type UsageSummaryJson = Shown<typeof UsageSummaryJson>;

const channels: readonly ChannelUsageJson[] = [
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
export const usageExample: UsageSummaryJson = {
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
