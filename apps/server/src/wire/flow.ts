import { Type, type TSchema } from "typebox";
import { AiDocument, BOT_FORMAT, BotTexts, BotTrigger } from "./bot.ts";
import { id, NO_NUL, oneOf, type Shown } from "./schema.ts";
import { CHANNEL_TYPES } from "./words.ts";

/** The steps of a flow and of a choice have names that fit together into what a button returns (Telegram: 64 bytes). */
const ID = "^[A-Za-z0-9_-]{1,28}$";
const stepId = (description: string) =>
  Type.String({ pattern: ID, maxLength: 28, description, "x-fault": "must be the name of a step" });
const next = Type.Optional(stepId("The step after it. Absent: the flow ends."));
const VARIABLE = "^[a-z][a-z0-9_]{0,39}$";
/** A place in the answer of a call. */
const PATH = "^[A-Za-z0-9_-]{1,80}(\\.[A-Za-z0-9_-]{1,80}){0,9}$";
const variable = Type.String({
  pattern: VARIABLE,
  maxLength: 40,
  description: "The name of a variable.",
  "x-fault": "must begin with a small letter and hold small letters, digits and _",
});
const name = Type.Optional(Type.String({ maxLength: 80, ...NO_NUL, description: "For members." }));
const words = Type.String({ minLength: 1, maxLength: 200, ...NO_NUL });
const retries = Type.Optional(
  Type.Integer({ minimum: 0, maximum: 5, description: "How often it asks again. 2 when absent." }),
);
const otherwise = Type.Optional(
  stepId("Where it goes on when no answer was understood. Absent: a person."),
);
const without = (when: string) =>
  Type.Optional(stepId(`Where it goes on when ${when}. Absent: a person.`));
const template = (description: string) => Type.String({ maxLength: 1_000, ...NO_NUL, description });
const timeout = Type.Optional(
  Type.Object(
    {
      minutes: Type.Integer({ minimum: 1, maximum: 1_440 }),
      next: Type.Optional(stepId("Absent: the flow ends.")),
    },
    { additionalProperties: false, description: "Where it goes on when nothing was answered." },
  ),
);
const closed = { additionalProperties: false } as const;

/** What an answer must be. */
export const ANSWERS = ["text", "number", "date", "email", "phone"] as const;
export type AnswerKind = (typeof ANSWERS)[number];

/** What of a contact an answer may be kept as. A phone number is no answer: it says who somebody is. */
export const KEPT_FIELDS = ["name", "email"] as const;

/** The most segments that the branches of a flow name: a contact is looked for in each of them. */
export const MOST_SEGMENTS = 20;

/** Who gets a conversation from a flow. */
export const ASSIGNED_TO = ["member", "least_busy", "nobody"] as const;

const Condition = Type.Union([
  Type.Object(
    {
      variable,
      op: Type.Union([
        Type.Literal("is"),
        Type.Literal("is_not"),
        Type.Literal("contains"),
        Type.Literal("more"),
        Type.Literal("less"),
      ]),
      value: Type.String({ maxLength: 200, ...NO_NUL }),
    },
    closed,
  ),
  Type.Object({ variable, op: Type.Literal("is_set") }, closed),
  Type.Object({ channel: oneOf(CHANNEL_TYPES, "The channel is of this type.") }, closed),
  Type.Object({ language: Type.Union([Type.Literal("en"), Type.Literal("ar")]) }, closed),
  Type.Object({ hours: Type.Union([Type.Literal("open"), Type.Literal("closed")]) }, closed),
  Type.Object({ tag: words }, closed),
  Type.Object(
    {
      segment: Type.String({
        minLength: 1,
        maxLength: 200,
        ...NO_NUL,
        description: "The name of a segment that the contact is in.",
      }),
    },
    closed,
  ),
]);
export type FlowCondition = Shown<typeof Condition>;

const STEPS = {
  send: Type.Object({ type: Type.Literal("send"), name, text: BotTexts, next }, closed),
  choose: Type.Object(
    {
      type: Type.Literal("choose"),
      name,
      text: BotTexts,
      choices: Type.Array(
        Type.Object(
          {
            id: Type.String({ pattern: ID, maxLength: 28, description: "Its name." }),
            label: BotTexts,
            next,
          },
          closed,
        ),
        { minItems: 1, maxItems: 10 },
      ),
      into: Type.Optional(variable),
      retries,
      otherwise,
      timeout,
    },
    closed,
  ),
  ask: Type.Object(
    {
      type: Type.Literal("ask"),
      name,
      text: BotTexts,
      as: Type.Optional(oneOf(ANSWERS, "What it must be. `text` when absent.")),
      into: variable,
      field: Type.Optional(oneOf(KEPT_FIELDS, "The contact keeps the answer as this, too.")),
      attribute: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 200,
          ...NO_NUL,
          description: "The contact keeps the answer as this attribute, too.",
        }),
      ),
      again: Type.Optional(BotTexts),
      next,
      retries,
      otherwise,
      timeout,
    },
    closed,
  ),
  branch: Type.Object(
    {
      type: Type.Literal("branch"),
      name,
      cases: Type.Array(Type.Object({ if: Condition, next: stepId("Where it goes on.") }, closed), {
        minItems: 1,
        maxItems: 20,
      }),
      next,
    },
    closed,
  ),
  set: Type.Object(
    {
      type: Type.Literal("set"),
      name,
      variable,
      value: Type.String({ maxLength: 1_000, ...NO_NUL }),
      next,
    },
    closed,
  ),
  tag: Type.Object(
    {
      type: Type.Literal("tag"),
      name,
      add: Type.Optional(Type.Array(words, { maxItems: 10 })),
      remove: Type.Optional(Type.Array(words, { maxItems: 10 })),
      next,
    },
    closed,
  ),
  label: Type.Object(
    {
      type: Type.Literal("label"),
      name,
      add: Type.Optional(Type.Array(words, { maxItems: 10 })),
      remove: Type.Optional(Type.Array(words, { maxItems: 10 })),
      next,
    },
    closed,
  ),
  note: Type.Object(
    {
      type: Type.Literal("note"),
      name,
      text: Type.String({ minLength: 1, maxLength: 2_000, ...NO_NUL }),
      next,
    },
    closed,
  ),
  confirm: Type.Object(
    {
      type: Type.Literal("confirm"),
      name,
      text: BotTexts,
      yes: Type.Optional(BotTexts),
      no: Type.Optional(BotTexts),
      next,
      refused: Type.Optional(stepId("Where it goes on after a no. Absent: the flow ends.")),
      retries,
      otherwise,
      timeout,
    },
    closed,
  ),
  wait: Type.Object(
    {
      type: Type.Literal("wait"),
      name,
      minutes: Type.Integer({ minimum: 1, maximum: 1_440 }),
      next,
    },
    closed,
  ),
  call: Type.Object(
    {
      type: Type.Literal("call"),
      name,
      url: Type.String({
        minLength: 1,
        maxLength: 2_048,
        ...NO_NUL,
        description: "Where it is posted, signed as webhooks are.",
      }),
      inputs: Type.Optional(
        Type.Record(Type.String({ pattern: VARIABLE }), template("{{variable}} is filled."), {
          maxProperties: 20,
          description: "What is posted, by name.",
        }),
      ),
      results: Type.Optional(
        Type.Array(
          Type.Object(
            {
              path: Type.String({
                pattern: PATH,
                maxLength: 200,
                description: "The place in the answer, as order.status.",
                "x-fault": "must be names with dots between them, as order.status",
              }),
              into: variable,
            },
            closed,
          ),
          { maxItems: 20, description: "What is read from the answer." },
        ),
      ),
      changes: Type.Optional(
        Type.Boolean({
          description:
            "It changes something there: a confirm has to stand right before it. True when absent.",
        }),
      ),
      idempotent: Type.Optional(
        Type.Boolean({
          description: "The same call may arrive twice, so it is tried again. False when absent.",
        }),
      ),
      next,
      otherwise: without("the call failed"),
    },
    closed,
  ),
  ai: Type.Object(
    {
      type: Type.Literal("ai"),
      name,
      bot: Type.String({
        minLength: 1,
        maxLength: 80,
        ...NO_NUL,
        description: "The name of a live AI bot, which answers once.",
      }),
      question: Type.Optional(template("Absent: what the customer wrote last.")),
      next,
      otherwise: without("the bot has no answer"),
    },
    closed,
  ),
  classify: Type.Object(
    {
      type: Type.Literal("classify"),
      name,
      text: Type.Optional(template("Absent: what the customer wrote last.")),
      topics: Type.Array(
        Type.Object(
          {
            id: Type.String({ pattern: ID, maxLength: 28, description: "Its name." }),
            description: Type.String({
              minLength: 1,
              maxLength: 500,
              ...NO_NUL,
              description: "What belongs to it, for the model.",
            }),
            next,
          },
          closed,
        ),
        { minItems: 1, maxItems: 20, description: "The model chooses one of them." },
      ),
      into: Type.Optional(variable),
      otherwise: without("none of them fits"),
    },
    closed,
  ),
  assign: Type.Object(
    {
      type: Type.Literal("assign"),
      name,
      to: oneOf(
        ASSIGNED_TO,
        "Who gets the conversation; the flow ends there. `least_busy`: the member who is online with the fewest open conversations.",
      ),
      memberId: Type.Optional(id("The member, for `member`.")),
      text: Type.Optional(BotTexts),
      summary: Type.Optional(Type.String({ maxLength: 500, ...NO_NUL })),
    },
    closed,
  ),
  hand_over: Type.Object(
    {
      type: Type.Literal("hand_over"),
      name,
      text: Type.Optional(BotTexts),
      summary: Type.Optional(Type.String({ maxLength: 500, ...NO_NUL })),
    },
    closed,
  ),
  go_to: Type.Object({ type: Type.Literal("go_to"), name, next: stepId("The step.") }, closed),
  end: Type.Object({ type: Type.Literal("end"), name }, closed),
} as const;

export type FlowStepType = keyof typeof STEPS;
/** The kinds of steps, in the order in which they are offered. */
export const FLOW_STEP_TYPES = [
  "send",
  "choose",
  "ask",
  "branch",
  "set",
  "tag",
  "label",
  "note",
  "confirm",
  "call",
  "ai",
  "classify",
  "wait",
  "assign",
  "hand_over",
  "go_to",
  "end",
] as const satisfies readonly FlowStepType[];

export type FlowStep = { readonly [K in FlowStepType]: Shown<(typeof STEPS)[K]> }[FlowStepType];
/** The form of each kind of step. */
export const flowStepShapes: Readonly<Record<FlowStepType, TSchema>> = STEPS;

/** A flow: `bots/flow/` says what its faults are. */
export interface Flow {
  readonly entry: string;
  readonly steps: Readonly<Record<string, FlowStep>>;
  /** Words that hand over, beside the built-in ones. */
  readonly handOverWords: readonly string[];
}

/** The published form of a flow: what `export` writes and `import` reads. */
export const FlowForm = Type.Object(
  {
    format: Type.Literal(BOT_FORMAT),
    kind: Type.Literal("flow"),
    name: Type.String({ minLength: 1, maxLength: 80, ...NO_NUL }),
    trigger: Type.Optional(BotTrigger),
    entry: Type.Optional(stepId("Where it begins. Absent: at the first of `steps`.")),
    steps: Type.Record(
      Type.String({ pattern: ID }),
      Type.Union(FLOW_STEP_TYPES.map((type) => STEPS[type])),
      { maxProperties: 200, additionalProperties: false, description: "The steps by their names." },
    ),
    handOver: Type.Optional(AiDocument.properties.handOver),
  },
  { additionalProperties: false, $id: "Flow", description: "A flow of steps." },
);

/**
 * The JSON Schema (2020-12) of a flow, at an address of its own. What is in it has the right form; publishing also checks
 * what no schema says: that steps are reached, that names are set, that a circle waits.
 */
export function flowSchema(address: string): Readonly<Record<string, unknown>> {
  const plain: unknown = JSON.parse(
    JSON.stringify(FlowForm, (key, value: unknown) => (key.startsWith("x-") ? undefined : value)),
  );
  const head = { $schema: "https://json-schema.org/draft/2020-12/schema", $id: address };
  return { ...head, title: "Flow of Parley", ...Object(plain), ...head };
}

/** The segments that the branches of a flow name, each once. */
export const segmentsIn = ({ steps }: Pick<Flow, "steps">): string[] => [
  ...new Set(
    Object.values(steps).flatMap((step) =>
      step.type === "branch"
        ? step.cases.flatMap((one) => ("segment" in one.if ? one.if.segment : []))
        : [],
    ),
  ),
];

/** Where a step names its next steps: the place in the step, and the name. */
export function edgesOf(step: FlowStep): { readonly at: string; readonly to: string }[] {
  const edges: { at: string; to: string | undefined }[] = [];
  if ("next" in step) edges.push({ at: "next", to: step.next });
  if ("otherwise" in step) edges.push({ at: "otherwise", to: step.otherwise });
  if ("timeout" in step) edges.push({ at: "timeout.next", to: step.timeout?.next });
  if (step.type === "choose")
    step.choices.forEach((one, n) => edges.push({ at: `choices.${n}.next`, to: one.next }));
  if (step.type === "classify")
    step.topics.forEach((one, n) => edges.push({ at: `topics.${n}.next`, to: one.next }));
  if (step.type === "branch")
    step.cases.forEach((one, n) => edges.push({ at: `cases.${n}.next`, to: one.next }));
  if (step.type === "confirm") edges.push({ at: "refused", to: step.refused });
  return edges.flatMap(({ at, to }) => (to === undefined ? [] : [{ at, to }]));
}

/** Whether a step waits for the customer or for a time: a circle without such a step would never end. */
export const waits = ({ type }: FlowStep): boolean =>
  type === "choose" || type === "ask" || type === "confirm" || type === "wait";

/** Whether a step asks another system or a model. */
export const asksOutside = (
  step: FlowStep,
): step is Extract<FlowStep, { type: "call" | "ai" | "classify" }> =>
  step.type === "call" || step.type === "ai" || step.type === "classify";
