import { Type } from "typebox";
import {
  AT,
  count,
  ID,
  id,
  NO_NUL,
  nullableOneOf,
  nullableText,
  oneOf,
  text,
  time,
  type Shown,
} from "./schema.ts";

/** An external bot answers a turn within this time, in the call or later by its token. */
export const TURN_SECONDS = 60;
/** The most messages of one answer. */
export const TURN_MESSAGES = 5;

/** What an external bot may name as the reason of its hand-over. */
export const EXTERNAL_REASONS = ["asked", "no_source", "outside_scope", "flow"] as const;

const TurnMessage = Type.Object({
  id: id("The message's id."),
  from: oneOf(["customer", "bot", "person", "program"], "Who wrote it."),
  type: text("What it is: text, image, audio …"),
  text: nullableText("Its words."),
  pressed: nullableText("The payload of the button that the customer pressed."),
  at: time("When it was written."),
});

/** What is posted to an external bot: `bot.turn`. */
export const BotTurnCall = Type.Object(
  {
    type: Type.Literal("bot.turn"),
    token: text(
      "Answers this turn once, within a minute: POST /v1/bot-turns/{token}. The same answer again is answered the same.",
    ),
    conversationId: id("The conversation."),
    contact: Type.Object({
      id: id("The customer."),
      firstName: nullableText("The first word of the name."),
      language: nullableText("The language the customer writes in: ar or en."),
    }),
    messages: Type.Array(TurnMessage, {
      description: "The newest 20 since the conversation was last resolved, oldest first.",
    }),
    variables: Type.Record(Type.String(), Type.Unknown(), {
      description: "What the bot stored in this conversation.",
    }),
  },
  { $id: "BotTurnCall", description: "A customer waits for an external bot's answer." },
);
export type BotTurnCall = Shown<typeof BotTurnCall>;

const line = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, ...NO_NUL, description });

/** What an external bot answers to a turn. */
export const BotTurnAnswer = Type.Object(
  {
    messages: Type.Optional(
      Type.Array(
        Type.Object(
          {
            text: line(1_000, "What the customer reads."),
            choices: Type.Optional(
              Type.Array(
                Type.Object(
                  {
                    text: line(80, "What the button says."),
                    payload: line(64, "What a press returns, 64 bytes at most."),
                  },
                  { additionalProperties: false },
                ),
                { minItems: 1, maxItems: 10, description: "Buttons where the channel has them." },
              ),
            ),
          },
          { additionalProperties: false },
        ),
        { maxItems: TURN_MESSAGES, description: "Sent in this order." },
      ),
    ),
    variables: Type.Optional(
      Type.Record(Type.String({ minLength: 1, maxLength: 80, ...NO_NUL }), Type.Unknown(), {
        maxProperties: 100,
        description:
          "Stored with the conversation, and part of the next call. At most 16 KiB together.",
      }),
    ),
    end: Type.Optional(
      Type.Boolean({ description: "The bot is done: the customer's next message begins again." }),
    ),
    handOver: Type.Optional(
      Type.Object(
        {
          reason: Type.Optional(oneOf(EXTERNAL_REASONS, "Why. `flow` when absent.")),
          summary: Type.Optional(line(2_000, "What members read.")),
        },
        { additionalProperties: false, description: "Give the conversation to a person." },
      ),
    ),
  },
  { additionalProperties: false, $id: "BotTurnAnswer", description: "An answer to `bot.turn`." },
);
export type BotTurnAnswer = Shown<typeof BotTurnAnswer>;

export const botTurnAnswerExample: BotTurnAnswer = {
  messages: [{ text: "Which order?", choices: [{ text: "Order 1042", payload: "order-1042" }] }],
  variables: { asked: "order" },
};

/** Why a call to an external bot failed. A page writes its sentence by the code and the value. */
export const TURN_FAULTS = [
  "NO_ADDRESS",
  "NO_SECRET",
  "STATUS",
  "TOO_LONG",
  "NOT_JSON",
  "SHAPE",
  "EMPTY",
  "NETWORK",
] as const;
export type TurnFault = (typeof TURN_FAULTS)[number];

/** The outcome of a test call to an external bot. */
export const TestCallJson = Type.Object(
  {
    state: oneOf(
      ["answered", "later", "failed"],
      "`later`: it took the turn, and may answer by the token.",
    ),
    ms: count("How long it took."),
    code: nullableOneOf(TURN_FAULTS, "Why it failed."),
    value: nullableText("The status, the place in the answer, or the failure of the network."),
    answer: Type.Unsafe<BotTurnAnswer | null>({
      ...BotTurnAnswer,
      $id: undefined,
      type: ["object", "null"],
      description: "What it answered. Nothing of it was sent.",
    }),
  },
  { $id: "TestCall", description: "A test call to an external bot." },
);
export type TestCallJson = Shown<typeof TestCallJson>;

export const testCallExample: TestCallJson = {
  state: "failed",
  ms: 0,
  code: "NO_SECRET",
  value: null,
  answer: null,
};

export const botTurnCallExample: BotTurnCall = {
  type: "bot.turn",
  token: "AfS1…",
  conversationId: ID,
  contact: { id: ID, firstName: "Sara", language: "en" },
  messages: [
    { id: ID, from: "customer", type: "text", text: "Where is my order?", pressed: null, at: AT },
  ],
  variables: {},
};
