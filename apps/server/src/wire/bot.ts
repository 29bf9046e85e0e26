import { Type } from "typebox";
import {
  AT,
  ETAG,
  count,
  freeForm,
  ID,
  id,
  NO_NUL,
  nullableCount,
  nullableId,
  nullableText,
  nullableTime,
  oneOf,
  text,
  time,
  type Shown,
} from "./schema.ts";
import { Lookup } from "./lookup.ts";
import {
  BOT_KINDS,
  BOT_MODES,
  BOT_STATUSES,
  BOT_TONES,
  BOT_WHENS,
  HAND_OVER_REASONS,
  HANDLERS,
  RUN_OUTCOMES,
} from "./words.ts";

/** The version of the documents' form. */
export const BOT_FORMAT = 1;
/** The most that a document may hold, as JSON. */
export const BOT_BYTES = 65_536;
/** An AI bot says at least this much of what it is for. */
export const LEAST_SCOPE = 40;

const line = (maxLength: number, description: string) =>
  Type.String({ maxLength, ...NO_NUL, description });

/** A text in each language of the bot. */
export const BotTexts = Type.Object(
  {
    en: Type.Optional(line(4_096, "English.")),
    ar: Type.Optional(line(4_096, "Arabic.")),
  },
  { additionalProperties: false, description: "A text in each language of the bot." },
);
export type BotTexts = Shown<typeof BotTexts>;

const name = Type.String({
  minLength: 1,
  maxLength: 80,
  ...NO_NUL,
  description: "Shown to members.",
  examples: ["Shop assistant"],
});
const format = Type.Literal(BOT_FORMAT, { description: "The version of this form." });
const channels = Type.Optional(
  Type.Array(Type.String({ maxLength: 40, ...NO_NUL }), {
    maxItems: 100,
    description: "Ids of channels, or channel types. Empty or absent: every channel.",
  }),
);
const when = Type.Optional(
  oneOf(
    BOT_WHENS,
    "When it begins, by the opening hours. `by_assistant`: only as a procedure. Absent: always.",
  ),
);

/** What begins a bot in a conversation. */
export const BotTrigger = Type.Object(
  {
    channels,
    when,
    words: Type.Optional(
      Type.Array(line(80, "A word or phrase."), {
        maxItems: 100,
        description: "It begins only when the customer's message holds one. Empty: any message.",
      }),
    ),
  },
  { additionalProperties: false, description: "What begins the bot in a conversation." },
);

/** What an AI bot is made of. */
export const AiDocument = Type.Object(
  {
    format,
    kind: Type.Literal("ai"),
    name,
    mode: oneOf(BOT_MODES, "`suggest`: members send. `autopilot`: it answers."),
    model: Type.Optional(line(200, "A model of the provider in place of the workspace's.")),
    trigger: Type.Optional(BotTrigger),
    scope: line(2_000, `What it is for, at least ${LEAST_SCOPE} characters.`),
    tone: Type.Optional(oneOf(BOT_TONES, "Friendly when absent.")),
    instructions: Type.Optional(
      Type.Union([
        line(4_000, "Guidance."),
        Type.Array(line(1_000, "A rule."), { maxItems: 50, description: "Guidance." }),
      ]),
    ),
    topics: Type.Optional(
      Type.Array(
        Type.Object(
          {
            name: line(80, "What it is called."),
            description: Type.Optional(line(500, "What belongs to it.")),
            never: Type.Optional(Type.Boolean({ description: "It is handed over at once." })),
          },
          { additionalProperties: false },
        ),
        { maxItems: 50, description: "What its talks are counted by." },
      ),
    ),
    sources: Type.Optional(
      Type.Array(line(200, "An id."), {
        maxItems: 200,
        description: "Knowledge sources. Absent or empty: all of the workspace.",
      }),
    ),
    lookups: Type.Optional(
      Type.Array(Lookup, { maxItems: 20, description: "What it may ask other systems." }),
    ),
    procedures: Type.Optional(
      Type.Array(
        Type.Object(
          {
            flow: line(80, "The name of a live flow."),
            when: Type.String({
              minLength: 1,
              maxLength: 500,
              ...NO_NUL,
              description: "When it is begun, for the model.",
            }),
          },
          { additionalProperties: false },
        ),
        { maxItems: 20, description: "Flows that the bot may begin." },
      ),
    ),
    handOver: Type.Optional(
      Type.Object(
        {
          words: Type.Optional(
            Type.Array(line(80, "A word."), {
              maxItems: 100,
              description: "Words that hand over, beside the built-in ones.",
            }),
          ),
          text: Type.Optional(BotTexts),
          outside: Type.Optional(BotTexts),
        },
        { additionalProperties: false, description: "The way to a person." },
      ),
    ),
    disclosure: Type.Optional(BotTexts),
    limits: Type.Optional(
      Type.Object(
        {
          turnsPerConversation: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
          costPerDay: Type.Optional(Type.Number({ minimum: 0, maximum: 100_000 })),
        },
        { additionalProperties: false },
      ),
    ),
    quietMs: Type.Optional(
      Type.Integer({
        minimum: 500,
        maximum: 8_000,
        description: "How long the customer must be quiet before it answers. 2,000 when absent.",
      }),
    ),
  },
  { additionalProperties: false, description: "An AI bot." },
);
export type AiDocument = Shown<typeof AiDocument>;

/** A flow: its form is refined where steps are read (`bots/flow/`). */
export const FlowDocument = Type.Object(
  {
    format,
    kind: Type.Literal("flow"),
    name,
    trigger: Type.Optional(BotTrigger),
    entry: Type.Optional(Type.String({ maxLength: 80, ...NO_NUL })),
    steps: Type.Record(Type.String({ maxLength: 80 }), freeForm, { maxProperties: 200 }),
    handOver: Type.Optional(AiDocument.properties.handOver),
  },
  { additionalProperties: false, description: "A flow of steps." },
);
export type FlowDocument = Shown<typeof FlowDocument>;

/** A bot that another system runs. */
export const ExternalDocument = Type.Object(
  {
    format,
    kind: Type.Literal("external"),
    name,
    trigger: Type.Optional(BotTrigger),
    url: line(2_048, "Where turns are posted."),
    waitSeconds: Type.Optional(Type.Integer({ minimum: 1, maximum: 60 })),
    handOver: Type.Optional(AiDocument.properties.handOver),
    disclosure: Type.Optional(BotTexts),
  },
  { additionalProperties: false, description: "A bot that another system runs." },
);
export type ExternalDocument = Shown<typeof ExternalDocument>;

export type BotDocument = AiDocument | FlowDocument | ExternalDocument;

/** The document as it is stored: a draft may have faults. */
export const StoredDocument = Type.Unsafe<Readonly<Record<string, unknown>>>({
  type: "object",
  additionalProperties: true,
  description: "The bot's document: of kind `flow`, `ai` or `external`.",
});

/** Everything that can be wrong with a bot's draft. A page writes its sentence by the code and the values. */
export const BOT_FAULT_CODES = [
  "SHAPE",
  "KIND_UNKNOWN",
  "SCOPE_SHORT",
  "DISCLOSURE_MISSING",
  "HAND_OVER_MISSING",
  "ADDRESS",
  "ADDRESS_REFUSED",
  "NO_SECRET",
  "NAME",
  "TYPE_UNKNOWN",
  "ENTRY_UNKNOWN",
  "EDGE_MISSING",
  "UNREACHABLE",
  "CIRCLE",
  "TEXT_MISSING",
  "NAME_UNKNOWN",
  "NAME_TWICE",
  "CHOICE_TOO_LONG",
  "LABEL_TWICE",
  "PLACE_UNFILLED",
  "NUMBER",
  "CALL_UNCONFIRMED",
  "BOT_UNKNOWN",
  "FLOW_UNKNOWN",
  "MEMBER_UNKNOWN",
  "CHANNEL_UNKNOWN",
  "SEGMENT_UNKNOWN",
  "SOURCE_UNKNOWN",
  "SEGMENTS_MANY",
  "ANSWER_KIND",
] as const;
export type BotFaultCode = (typeof BOT_FAULT_CODES)[number];

/** What of a value is not of its form: the `rule` of `SHAPE`. */
export const SHAPE_RULES = [
  "missing",
  "unknown",
  "short",
  "long",
  "few",
  "many",
  "small",
  "large",
  "form",
] as const;
export type ShapeRule = (typeof SHAPE_RULES)[number];

export const BotFault = Type.Object(
  {
    path: text("The member of the document."),
    step: nullableText("The step of a flow."),
    code: oneOf(BOT_FAULT_CODES, "What is wrong."),
    message: text("What is wrong and what to do, in English."),
    values: Type.Optional(
      Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]), {
        description:
          "What the sentence names: `to`, `name`, `most`, `least`, `language`; of `SHAPE` the `rule` and its `limit`.",
      }),
    ),
  },
  { $id: "BotFault", description: "A fault of a bot's draft." },
);
export type BotFault = Shown<typeof BotFault>;

const listed = {
  id: id("The bot's id."),
  name: text("Its name."),
  kind: oneOf(BOT_KINDS, "What it is made of."),
  status: oneOf(BOT_STATUSES, "`live`: it answers."),
  version: nullableCount("The published version. Null: none yet."),
  draft: Type.Boolean({ description: "The draft differs from what is published." }),
  channels: Type.Array(Type.String(), {
    description: "Ids of channels or channel types; empty: every channel.",
  }),
  mode: Type.Unsafe<(typeof BOT_MODES)[number] | null>({
    type: ["string", "null"],
    enum: [...BOT_MODES, null],
    description: "Of an AI bot.",
  }),
  updatedAt: time("When its draft or state last changed."),
};

/** A bot in a list. */
export const BotListed = Type.Object(
  {
    ...listed,
    answered: count("Answers in the last seven days."),
    handedOver: count("Conversations handed over in the last seven days."),
  },
  { $id: "BotListed", description: "A bot." },
);
export type BotListed = Shown<typeof BotListed>;
export const BotList = Type.Object({ items: Type.Array(BotListed) });

export const BotJson = Type.Object(
  {
    ...listed,
    document: StoredDocument,
    etag: text("This version of the draft: saving takes it as `If-Match`."),
    faults: Type.Array(BotFault, { description: "Why the draft cannot be published." }),
    secretMadeAt: nullableTime("When the secret that signs its calls was made. Null: it has none."),
    createdAt: time("When it was made."),
  },
  { $id: "Bot", description: "A bot with its draft." },
);
export type BotJson = Shown<typeof BotJson>;

export const BotVersionJson = Type.Object(
  {
    number: count("From 1."),
    publishedBy: text("The actor: member:<id>, key:<id>, cli."),
    publishedAt: time("When."),
    note: nullableText("What the publisher wrote."),
    untested: Type.Boolean({ description: "It was published although cases failed." }),
    runs: count("Conversations that it met."),
    document: StoredDocument,
  },
  { $id: "BotVersion", description: "What was published." },
);
export type BotVersionJson = Shown<typeof BotVersionJson>;
export const BotVersionList = Type.Object({ items: Type.Array(BotVersionJson) });

export const PublishedBot = Type.Object({
  id: id("The bot's id."),
  version: count("The new version."),
  status: oneOf(BOT_STATUSES, "Its state now."),
});

/** Who answers a conversation. */
export const HandlerJson = Type.Object(
  {
    kind: oneOf(HANDLERS, "Who answers."),
    botId: nullableId("The bot that answers, or that answered last."),
  },
  { description: "Who answers the conversation." },
);
export type HandlerJson = Shown<typeof HandlerJson>;

/** One bot in one conversation, as members see it. */
export const RunJson = Type.Object(
  {
    id: id("The run."),
    botId: id("The bot."),
    botName: text("Its name."),
    version: count("The bot's version."),
    state: oneOf(["ready", "waiting", "calling", "ended"], "Where it is."),
    step: nullableText("The step of a flow where it is."),
    steps: Type.Array(freeForm, { description: "The steps taken, oldest first." }),
    variables: Type.Record(Type.String(), Type.Unknown(), { description: "What was collected." }),
    turns: count("Answers that reached the customer."),
    outcome: Type.Unsafe<(typeof RUN_OUTCOMES)[number] | null>({
      type: ["string", "null"],
      enum: [...RUN_OUTCOMES, null],
      description: "How it ended. Null: it goes on.",
    }),
    reason: Type.Unsafe<(typeof HAND_OVER_REASONS)[number] | null>({
      type: ["string", "null"],
      enum: [...HAND_OVER_REASONS, null],
      description: "Why it handed over.",
    }),
    summary: nullableText("What it said of the talk when it handed over."),
    topic: nullableText("What the talk was about."),
    beganAt: time("When it began."),
    endedAt: nullableTime("When it ended."),
  },
  { $id: "BotRun", description: "What a bot did in a conversation." },
);
export type RunJson = Shown<typeof RunJson>;

export const aiDocumentExample: AiDocument = {
  format: BOT_FORMAT,
  kind: "ai",
  name: "Shop assistant",
  mode: "autopilot",
  scope: "Answers questions about orders, delivery, opening hours and returns of our shop.",
  disclosure: {
    en: "I am an automatic assistant.",
    ar: "أنا مساعد آلي.",
  },
  handOver: {
    text: {
      en: "A colleague will answer you here.",
      ar: "سيجيبك أحد زملائنا هنا.",
    },
  },
};

export const botListedExample: BotListed = {
  id: ID,
  name: "Shop assistant",
  kind: "ai",
  status: "live",
  version: 1,
  draft: false,
  channels: [],
  mode: "autopilot",
  updatedAt: AT,
  answered: 120,
  handedOver: 8,
};

const { answered: _answered, handedOver: _handedOver, ...shared } = botListedExample;
export const botExample: BotJson = {
  ...shared,
  status: "draft",
  version: null,
  draft: true,
  document: aiDocumentExample,
  etag: ETAG,
  faults: [],
  secretMadeAt: null,
  createdAt: AT,
};

export const runExample: RunJson = {
  id: ID,
  botId: ID,
  botName: "Shop assistant",
  version: 1,
  state: "ready",
  step: null,
  steps: [],
  variables: {},
  turns: 0,
  outcome: null,
  reason: null,
  summary: null,
  topic: null,
  beganAt: AT,
  endedAt: null,
};
