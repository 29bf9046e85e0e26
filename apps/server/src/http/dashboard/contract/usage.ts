import { Type } from "typebox";
import { count, nullableCount, nullableText, text, type Shown } from "../../../wire/schema.ts";
import { ChannelUsageJson, UsageSummaryJson } from "../../../wire/usage.ts";
import { ADMINS, face } from "./face.ts";

const { plan, limits, periodStart, periodEnd, percentUsed } = UsageSummaryJson.properties;

const UsageReportJson = Type.Object({
  plan,
  limits,
  /** What is used of `limits`, under the same names. */
  used: Type.Object({
    messages: count("Outbound messages of this month, the failed ones too."),
    seats: count("Members and invitations now."),
    bots: count("Bots now."),
    channels: count("Connected channels now."),
    aiReplies: count("Replies written by AI this month."),
  }),
  /** This month, by channel. */
  channels: Type.Array(Type.Object(ChannelUsageJson.properties)),
  /** Every day of the month up to today, in UTC as the meter counts. */
  days: Type.Array(
    Type.Object({
      day: text("2026-11-25"),
      sent: count("Outbound messages."),
      received: count("Inbound messages."),
      failed: count("Outbound messages that were rejected."),
    }),
  ),
  forecast: Type.Object({
    messages: count("At the end of the month, when it goes on as it did."),
    perDay: Type.Number({ description: "Messages a day, on average." }),
    days: count("How many whole days that average is of; 0: of today alone."),
    limitOn: nullableText("The day on which the allowance will be used up; null: not this month."),
  }),
  smsCredits: nullableCount("SMS credits left. Null: not limited."),
  periodStart,
  periodEnd,
  percentUsed,
});
export type UsageReportJson = Shown<typeof UsageReportJson>;

export const usage = {
  /** The meter of this UTC month against the plan. */
  readUsage: face({ method: "GET", path: "/usage", who: ADMINS, answer: UsageReportJson }),
} as const;
