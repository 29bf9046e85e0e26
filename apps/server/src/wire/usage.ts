import { Type } from "typebox";
import {
  count,
  ID,
  nullableCount,
  nullableId,
  nullableText,
  oneOf,
  ref,
  text,
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
      "Outbound messages that were rejected. Each of them nevertheless spent its slot.",
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

export const UsageHistoryJson = Type.Object(
  {
    items: Type.Array(
      Type.Object(
        {
          month: text("2026-10: a calendar month in UTC."),
          messages: count(
            "Slots of the allowance that were used: outbound messages, the failed too.",
          ),
          sent: count("Outbound messages."),
          received: count("Inbound messages."),
          failed: count("Outbound messages that were rejected."),
          aiReplies: count("Replies written by AI."),
        },
        { $id: "UsageMonth", description: "What was used in one month." },
      ),
      { description: "Newest first; only months in which something was metered." },
    ),
    nextCursor: nullableText("Give it as `cursor` to read on. Null at the end."),
  },
  { $id: "UsageHistory", description: "Read on with `cursor` until `nextCursor` is null." },
);
export type UsageHistoryJson = Shown<typeof UsageHistoryJson>;

export const LimitsJson = Type.Object(
  {
    plan: oneOf(PLANS, "The plan."),
    suspended: Type.Boolean({ description: "Nothing is sent." }),
    items: Type.Array(
      Type.Object(
        {
          name: text("messages, seats, bots, channels or aiReplies."),
          limit: nullableCount("null: unlimited."),
          used: count("Now; of messages and AI replies in this UTC month."),
          own: Type.Boolean({ description: "Set for this workspace in place of the plan's." }),
        },
        { $id: "PlanLimit", description: "One limit." },
      ),
      { description: "Each limit." },
    ),
    smsCredits: nullableCount("What is left; null: not limited."),
    periodEnd: time("When the month of messages ends."),
  },
  { $id: "PlanLimits", description: "What the plan allows, and how much of it is used." },
);
export type LimitsJson = Shown<typeof LimitsJson>;

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

export const usageHistoryExample: UsageHistoryJson = {
  items: [{ month: "2026-11", messages: 1, sent: 1, received: 0, failed: 0, aiReplies: 0 }],
  nextCursor: null,
};

export const limitsExample: LimitsJson = {
  plan: "business",
  suspended: false,
  items: [
    { name: "messages", limit: null, used: 0, own: false },
    { name: "seats", limit: null, used: 0, own: false },
    { name: "bots", limit: null, used: 0, own: false },
    { name: "channels", limit: null, used: 0, own: false },
    { name: "aiReplies", limit: null, used: 0, own: false },
  ],
  smsCredits: null,
  periodEnd: "2026-12-01T00:00:00.000Z",
};
