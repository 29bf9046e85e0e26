import { Type } from "typebox";
import { BotFault } from "./bot.ts";
import { NO_NUL, nullableCount, nullableOneOf, nullableText, oneOf, type Shown } from "./schema.ts";
import { HAND_OVER_REASONS } from "./words.ts";

/** The most turns of a customer that a preview takes. */
export const PREVIEW_SAID = 100;
/** The most lines that it answers with. */
export const PREVIEW_LINES = 500;

/** What the customer of a preview does: says words, presses a button, or lets the time of the step run out. */
export const PreviewSaid = Type.Object(
  {
    text: Type.Optional(
      Type.String({ minLength: 1, maxLength: 4_096, ...NO_NUL, description: "Words." }),
    ),
    payload: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        ...NO_NUL,
        description: "The `payload` of the choice that was pressed.",
      }),
    ),
  },
  {
    additionalProperties: false,
    description: "One turn. Without words and payload the time of the step runs out.",
  },
);
export type PreviewSaid = Shown<typeof PreviewSaid>;

/** What a flow does beside writing. */
export const PREVIEW_DEEDS = [
  "tag",
  "untag",
  "label",
  "unlabel",
  "note",
  "keep",
  "wait",
  "time_out",
  "call",
  "ai",
  "classify",
  "assign",
  "hand_over",
  "end",
] as const;
export type PreviewDeed = (typeof PREVIEW_DEEDS)[number];

const PreviewLine = Type.Object({
  by: oneOf(
    ["customer", "bot", "flow"],
    "Who wrote it. `flow`: nothing was written, it did something.",
  ),
  step: nullableText("The step that spoke."),
  text: nullableText("The words, the note, or what members read of a hand-over."),
  choices: Type.Array(
    Type.Object({ text: Type.String(), payload: Type.String() }, { description: "A button." }),
    {
      description:
        "Answers that are offered. Of `call`, `ai` and `classify`, which a preview does not do: the outcomes to go on with (`ok`, `failed`, the topics).",
    },
  ),
  did: nullableOneOf(PREVIEW_DEEDS, "What was done beside writing."),
  names: Type.Array(Type.String(), { description: "Tags or labels." }),
  minutes: nullableCount("How long it waits."),
  reason: nullableOneOf(HAND_OVER_REASONS, "Why it hands over."),
});
export type PreviewLine = Shown<typeof PreviewLine>;

/** A flow as a customer would meet it. */
export const FlowPreview = Type.Object(
  {
    lines: Type.Array(PreviewLine, { description: "What was said and done, oldest first." }),
    step: nullableText("The step that waits for the customer. Null: none does."),
    state: oneOf(
      ["quiet", "waiting", "handed_over", "ended"],
      "`quiet`: the customer has not written. `ended`: the next message begins the flow again.",
    ),
    variables: Type.Record(Type.String(), Type.Unknown(), { description: "What was collected." }),
    faults: Type.Array(BotFault, { description: "Why the document cannot be published." }),
  },
  { $id: "FlowPreview", description: "A flow as a customer would meet it." },
);
export type FlowPreview = Shown<typeof FlowPreview>;

export const flowPreviewExample: FlowPreview = {
  lines: [],
  step: null,
  state: "quiet",
  variables: {},
  faults: [],
};
