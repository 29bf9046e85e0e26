import { Type } from "typebox";
import {
  AT,
  count,
  cursorPage,
  ID,
  id,
  nullableId,
  nullableText,
  nullableTime,
  oneOf,
  text,
  time,
  type Shown,
} from "./schema.ts";
import { LookupDone } from "./lookup.ts";
import { TURN_STATUSES } from "./words.ts";

const cost = Type.Number({ minimum: 0, description: "Money, in the currency of the prices." });
const thought = {
  decision: nullableText(
    "answer, clarify, search, look_up, procedure, hand_over or silent. Null: the model did not answer.",
  ),
  text: text("What is said; empty where nothing is."),
  sources: Type.Array(
    Type.Object({
      chunkId: text("The piece of knowledge."),
      title: text("What it is called."),
      text: text("What it said then."),
    }),
    { description: "What the text rests on." },
  ),
  checks: Type.Array(
    Type.Object({
      name: text("What was checked."),
      ok: Type.Boolean({ description: "It passed." }),
      detail: text("Why it failed; empty where it passed."),
    }),
    { description: "What the text was checked for before it might be said." },
  ),
  lookups: Type.Array(LookupDone, {
    description: "What was asked of other systems, in order. The text may rest on the answers.",
  }),
  procedure: nullableText("The flow that it begins. Null: none."),
  reason: nullableText("Why, in the model's words; or a code of what went wrong."),
  tokens: count("What it used."),
  cost,
  ms: count("How long it took."),
};

/** What a bot would say. */
export const AskedBotJson = Type.Object(thought, {
  $id: "AskedBot",
  description: "What a bot would say, and whether it may.",
});
export type AskedBotJson = Shown<typeof AskedBotJson>;

export const TurnJson = Type.Object(
  {
    id: id("The turn."),
    botId: id("The bot."),
    version: count("The bot's version."),
    conversationId: id("The conversation."),
    status: oneOf(
      TURN_STATUSES,
      "`sent`: a customer got it. `began`: it began a flow. `suggested`: a member got it. `superseded`: somebody wrote meanwhile.",
    ),
    ...thought,
    model: nullableText("The model's name at its provider. Null: it was not asked."),
    messageId: nullableId("The message that it became. Null: none."),
    createdAt: time("When it began."),
    settledAt: nullableTime("When it ended. Null: it goes on."),
    good: Type.Unsafe<boolean | null>({
      type: ["boolean", "null"],
      description: "What a member thinks of it. Null: none said.",
    }),
    why: nullableText("Why, in the member's words."),
  },
  { $id: "AiTurn", description: "One answer of a model. It is kept for 30 days." },
);
export type TurnJson = Shown<typeof TurnJson>;
export const TurnPageJson = cursorPage("AiTurnPage", TurnJson, "The newest first.");

export const askedExample: AskedBotJson = {
  decision: "clarify",
  text: "Hello! How can I help you?",
  sources: [],
  checks: [],
  lookups: [],
  procedure: null,
  reason: null,
  tokens: 52,
  cost: 0.000038,
  ms: 940,
};
export const turnExample: TurnJson = {
  id: ID,
  botId: ID,
  version: 1,
  conversationId: ID,
  status: "suggested",
  ...askedExample,
  model: "large",
  messageId: null,
  createdAt: AT,
  settledAt: AT,
  good: null,
  why: null,
};
