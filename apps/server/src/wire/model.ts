import { Type } from "typebox";
import { AT, nullableOneOf, nullableText, nullableTime, text, type Shown } from "./schema.ts";
import { MODEL_OUTCOMES, MODEL_PROTOCOLS } from "./words.ts";

const nullableMoney = (description: string) =>
  Type.Unsafe<number | null>({ type: ["number", "null"], minimum: 0, description });

export const ModelJson = Type.Object(
  {
    protocol: nullableOneOf(
      MODEL_PROTOCOLS,
      "How the provider is spoken to. Null: no model answers.",
    ),
    url: nullableText("The provider's base address."),
    name: nullableText("The model's name at the provider."),
    secondName: nullableText("A cheaper model for summaries, translations and rewriting."),
    hasKey: Type.Boolean({ description: "A key is stored. It is never shown." }),
    emulated: Type.Boolean({
      description:
        "No language model answers, but the emulation of the sandbox, on sandbox channels only.",
    }),
    inputPrice: nullableMoney("What a million tokens of questions cost. Null: not counted."),
    outputPrice: nullableMoney("What a million tokens of answers cost. Null: not counted."),
    costPerDay: nullableMoney("The most that bots may spend in a day of UTC. Null: no limit."),
    costPerMonth: nullableMoney("The most that bots may spend in a month of UTC. Null: no limit."),
    updatedAt: nullableTime("When it was set. Null: never."),
  },
  { $id: "Model", description: "The language model of a workspace, without its key." },
);
export type ModelJson = Shown<typeof ModelJson>;

export const ModelTestJson = Type.Object(
  {
    ok: Type.Boolean({ description: "It answered as it was asked to." }),
    outcome: Type.Unsafe<(typeof MODEL_OUTCOMES)[number]>({
      type: "string",
      enum: [...MODEL_OUTCOMES],
      description: "`misconfigured`: address, key or name are wrong, or nothing is paid.",
    }),
    detail: nullableText("A short code: the status, and what the provider calls the fault."),
    emulated: Type.Boolean({ description: "The emulation of the sandbox answered." }),
    ms: Type.Integer({ minimum: 0, description: "How long it took." }),
    tokens: Type.Integer({ minimum: 0, description: "What it used." }),
    model: text("The model that was asked."),
  },
  { $id: "ModelTest", description: "How a model answered a short question." },
);
export type ModelTestJson = Shown<typeof ModelTestJson>;

export const modelExample: ModelJson = {
  protocol: "openai-chat",
  url: "https://models.example.com/v1",
  name: "large",
  secondName: null,
  hasKey: true,
  emulated: false,
  inputPrice: 0.5,
  outputPrice: 1.5,
  costPerDay: 5,
  costPerMonth: 50,
  updatedAt: AT,
};
