import { Type } from "typebox";
import { DAY } from "../wire/calendar.ts";
import { botReportExample, BotReportJson } from "../wire/bot-report.ts";
import { operation } from "./operation.ts";
import { ADMINS } from "./roles.ts";

const day = (description: string, example: string) =>
  Type.Optional(
    Type.String({
      maxLength: 10,
      pattern: `^${DAY}$`,
      "x-fault": "must be a day such as 2026-11-30",
      description,
      examples: [example],
    }),
  );
const id = (description: string) => Type.Optional(Type.String({ maxLength: 64, description }));

/** What bots did, and what it cost. */
export const botReports = {
  botReport: operation("bot.report", {
    says: "What bots did in a time: outcomes, reasons, topics, suggestions, ratings, cost",
    at: "GET /bots/report",
    input: {
      bot: id("One bot. Absent: all."),
      channel: id("One channel. Absent: all."),
      from: day("The first day, of UTC. Absent: 30 days before the last.", "2026-11-01"),
      to: day("The last day. Absent: today.", "2026-11-30"),
    },
    answer: BotReportJson,
    example: {
      input: { from: "2026-11-01", to: "2026-11-30" },
      answer: botReportExample,
    },
    errors: [],
    roles: ADMINS,
    scope: null,
    bots: false,
    trace: null,
    doors: ["app"],
  }),
} as const;
