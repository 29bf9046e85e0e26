import { Type } from "typebox";
import {
  AT,
  count,
  ID,
  id,
  NO_NUL,
  nullableCount,
  nullableId,
  nullableOneOf,
  nullableText,
  nullableTime,
  oneOf,
  text,
  time,
  type Shown,
} from "./schema.ts";

/** The most cases of a bot, and the most lines of a talk. */
export const MOST_CASES = 500;
export const MOST_LINES = 6;
/** How often a case is asked where a run does not say it. */
export const REPEAT = 3;

/** What a bot may do with a question, as a case expects it. */
export const CASE_DECISIONS = ["answer", "clarify", "hand_over", "silent"] as const;
export type CaseDecision = (typeof CASE_DECISIONS)[number];
const LANGUAGES = ["en", "ar"] as const;
const SPEAKERS = ["customer", "bot"] as const;
/** What an answer was compared with, in the order of the comparison. */
export const DIFFERENCES = [
  "model",
  "decision",
  "check",
  "language",
  "must_hold",
  "must_not_hold",
  "source",
] as const;
export type DifferenceKind = (typeof DIFFERENCES)[number];

const line = (maxLength: number, description: string, example: string) =>
  Type.String({ minLength: 1, maxLength, ...NO_NUL, description, examples: [example] });
const pieces = (description: string, example: string) =>
  Type.Optional(
    Type.Array(line(300, "A piece of text.", example), {
      maxItems: 20,
      description,
      examples: [[example]],
    }),
  );
const saidByCustomer = line(2_000, "What is said.", "How long is the delivery?");

/** The members of a case in a request. */
export const caseInput = {
  question: Type.Optional(
    line(2_000, "What the customer asks; or give `talk`.", "How long is the delivery?"),
  ),
  talk: Type.Optional(
    Type.Array(
      Type.Union([
        saidByCustomer,
        Type.Object(
          { from: oneOf(SPEAKERS, "Who says it."), text: saidByCustomer },
          { additionalProperties: false },
        ),
      ]),
      {
        minItems: 1,
        maxItems: MOST_LINES,
        description:
          "In place of `question`: up to six lines, the last by the customer. Plain texts are said in turn.",
        examples: [["Hello", "Hello, how can I help you?", "How long is the delivery?"]],
      },
    ),
  ),
  mustHold: pieces(
    "Pieces of text that the answer must hold. Case, vowel signs and forms of letters and digits do not count.",
    "2 working days",
  ),
  mustNotHold: pieces("Pieces of text that the answer must not hold.", "free"),
  sources: Type.Optional(
    Type.Array(line(200, "An id.", "delivery-time"), {
      maxItems: 20,
      description: "Sources that the answer must cite: their ids, or their ids at their origin.",
      examples: [["delivery-time"]],
    }),
  ),
  decision: Type.Optional(
    nullableOneOf(CASE_DECISIONS, "What the bot must do. Null or absent: whatever fits the rest."),
  ),
  lang: Type.Optional(nullableOneOf(LANGUAGES, "The customer's language, and the answer's.")),
};

const CaseDifference = Type.Object(
  {
    what: oneOf(DIFFERENCES, "What was compared."),
    wanted: text("What the case wants."),
    got: text("What the answer has."),
  },
  { description: "The first thing in which an answer is not what the case wants." },
);
export type CaseDifference = Shown<typeof CaseDifference>;

const nullableDifference = Type.Unsafe<CaseDifference | null>({
  anyOf: [CaseDifference, { type: "null" }],
  description: "Null: none.",
});

const talk = {
  question: text("What the customer asks last."),
  talk: Type.Array(
    Type.Object({ from: oneOf(SPEAKERS, "Who says it."), text: text("What is said.") }),
    { description: "All lines, the question last." },
  ),
};

export const CaseJson = Type.Object(
  {
    id: id("The case."),
    ...talk,
    mustHold: Type.Array(Type.String(), { description: "What the answer must hold." }),
    mustNotHold: Type.Array(Type.String(), { description: "What the answer must not hold." }),
    sources: Type.Array(Type.String(), { description: "Sources that the answer must cite." }),
    decision: nullableOneOf(CASE_DECISIONS, "What the bot must do."),
    lang: nullableOneOf(LANGUAGES, "The customer's language, and the answer's."),
    result: nullableOneOf(["passed", "failed"], "How it ended last. Null: it was not run."),
    current: Type.Boolean({
      description: "The result is of the draft as it is now. A draft that has changed needs a run.",
    }),
    right: count("Right answers of the last run."),
    asked: count("Answers of the last run."),
    runId: nullableId("The last run."),
    ranAt: nullableTime("When it ran last."),
    createdAt: time("When it was made."),
    updatedAt: time("When it was last changed."),
  },
  { $id: "BotCase", description: "A question with what its answer must hold." },
);
export type CaseJson = Shown<typeof CaseJson>;

export const CaseListJson = Type.Object(
  {
    items: Type.Array(CaseJson, { description: "The oldest first." }),
    passed: count("Cases that the draft, as it is now, passed."),
    failed: count("Cases that it failed."),
    untested: count("Cases that it was not run against."),
    running: Type.Unsafe<{ id: string; done: number; total: number } | null>({
      anyOf: [
        Type.Object({
          id: id("The run."),
          done: count("Answers that are in."),
          total: count("Answers that will be."),
        }),
        { type: "null" },
      ],
      description: "The newest run that goes on. Null: none.",
    }),
  },
  { $id: "BotCaseList", description: "The cases of a bot." },
);
export type CaseListJson = Shown<typeof CaseListJson>;

const CaseAnswer = Type.Object({
  decision: nullableText("What the bot did. Null: the model did not answer."),
  text: text("What it said, also where a check kept it back."),
  sources: Type.Array(
    Type.Object({ sourceId: text("The source."), title: text("What it is called.") }),
    { description: "What it cites." },
  ),
  failedChecks: Type.Array(Type.String(), { description: "Checks that kept it back." }),
  reason: nullableText("Why, in the model's words; or a code of what went wrong."),
  tokens: count("What it used."),
  cost: Type.Number({ minimum: 0, description: "Money, in the currency of the prices." }),
  ms: count("How long it took."),
  difference: nullableDifference,
});
export type CaseAnswer = Shown<typeof CaseAnswer>;

export const CaseRunJson = Type.Object(
  {
    id: id("The run."),
    botId: id("The bot."),
    version: nullableCount("The published version that answered. Null: the draft."),
    repeat: count("How often each case is asked."),
    why: oneOf(["asked", "sources"], "`sources`: their texts changed."),
    state: oneOf(["running", "done", "stopped"], "Whether it goes on."),
    reason: nullableText("Why it stopped: `cost_cap`, `no_model`."),
    passed: count("Cases of which every answer was right."),
    failed: count("Cases of which one was not."),
    stopped: count("Cases that were not asked to the end."),
    waiting: count("Cases that are still to be asked."),
    answers: count("Answers that are in."),
    cost: Type.Number({ minimum: 0, description: "Money, in the currency of the prices." }),
    items: Type.Array(
      Type.Object({
        caseId: id("The case."),
        question: text("What the customer asks last."),
        result: oneOf(["waiting", "passed", "failed", "stopped"], "How it ended."),
        right: count("Right answers."),
        asked: count("Answers that are in."),
        answers: Type.Array(CaseAnswer, { description: "Each answer, in order." }),
        difference: nullableDifference,
      }),
      { description: "The cases, in their order." },
    ),
    startedBy: text("The actor: member:<id>, cli, system."),
    createdAt: time("When it began."),
    endedAt: nullableTime("When it ended. Null: it goes on."),
  },
  { $id: "BotCaseRun", description: "A run over cases of a bot." },
);
export type CaseRunJson = Shown<typeof CaseRunJson>;

export const caseExample: CaseJson = {
  id: ID,
  question: "How long is the delivery?",
  talk: [{ from: "customer", text: "How long is the delivery?" }],
  mustHold: ["2 working days"],
  mustNotHold: [],
  sources: [],
  decision: "answer",
  lang: "en",
  result: null,
  current: false,
  right: 0,
  asked: 0,
  runId: null,
  ranAt: null,
  createdAt: AT,
  updatedAt: AT,
};

export const caseRunExample: CaseRunJson = {
  id: ID,
  botId: ID,
  version: null,
  repeat: REPEAT,
  why: "asked",
  state: "running",
  reason: null,
  passed: 0,
  failed: 0,
  stopped: 0,
  waiting: 1,
  answers: 0,
  cost: 0,
  items: [
    {
      caseId: ID,
      question: caseExample.question,
      result: "waiting",
      right: 0,
      asked: 0,
      answers: [],
      difference: null,
    },
  ],
  startedBy: `member:${ID}`,
  createdAt: AT,
  endedAt: null,
};
