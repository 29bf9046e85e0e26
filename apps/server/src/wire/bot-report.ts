import { Type } from "typebox";
import { count, id, nullableText, text, type Shown } from "./schema.ts";

const money = Type.Number({ minimum: 0, description: "Money, in the currency of the prices." });

/** What bots did in a time. A run is one bot in one conversation. */
export const BotReportJson = Type.Object(
  {
    from: text("The first day, of UTC."),
    to: text("The last day."),
    runs: count("Runs that began on these days."),
    outcomes: Type.Object({
      resolved: count("Ended without a person."),
      assisted: count("A person stepped in."),
      handed_over: count("Handed over."),
      abandoned: count("The customer stopped writing."),
      open: count("They go on."),
      reopened: count("Of the resolved: the customer wrote again within seven days."),
    }),
    reasons: Type.Array(
      Type.Object({ reason: nullableText("Why it was handed over."), runs: count("How often.") }),
    ),
    topics: Type.Array(
      Type.Object({
        topic: nullableText("What the talk was about. Null: no topic was found."),
        runs: count("How often."),
      }),
    ),
    languages: Type.Array(
      Type.Object({
        language: nullableText("Of the answers: en, ar."),
        answers: count("How many were sent."),
      }),
    ),
    suggestions: Type.Object({
      used: count("Sent as they are."),
      edited: count("Sent with another text."),
      discarded: count("Not sent."),
      open: count("No member has decided."),
    }),
    ratings: Type.Object({
      good: count("Answers that members call good."),
      bad: count("And bad."),
    }),
    cost: Type.Object({
      money,
      tokens: count("Tokens of all turns."),
      days: Type.Array(
        Type.Object({ day: text("Of UTC."), money, tokens: count("Tokens of the day.") }),
      ),
      bots: Type.Array(Type.Object({ bot: id("The bot."), money, tokens: count("Its tokens.") })),
      members: Type.Object(
        { money, tokens: count("Their tokens.") },
        {
          description:
            "What members asked a model for: summaries, translations, other words. Not in `money` and `tokens` of bots.",
        },
      ),
    }),
  },
  { $id: "BotReport", description: "What bots did in a time, and what it cost." },
);
export type BotReportJson = Shown<typeof BotReportJson>;

export const botReportExample: BotReportJson = {
  from: "2026-11-01",
  to: "2026-11-30",
  runs: 0,
  outcomes: { resolved: 0, assisted: 0, handed_over: 0, abandoned: 0, open: 0, reopened: 0 },
  reasons: [],
  topics: [],
  languages: [],
  suggestions: { used: 0, edited: 0, discarded: 0, open: 0 },
  ratings: { good: 0, bad: 0 },
  cost: { money: 0, tokens: 0, days: [], bots: [], members: { money: 0, tokens: 0 } },
};
