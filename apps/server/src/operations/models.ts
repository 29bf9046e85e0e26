import { Type } from "typebox";
import { ModelJson, modelExample, ModelTestJson } from "../wire/model.ts";
import { NO_NUL, nullableText, oneOf } from "../wire/schema.ts";
import { MODEL_PROTOCOLS } from "../wire/words.ts";
import { operation } from "./operation.ts";
import { ADMINS } from "./roles.ts";

const setting = { roles: ADMINS, scope: null, bots: false, doors: ["app"] } as const;
const nameOfModel = (description: string) =>
  Type.String({ minLength: 1, maxLength: 200, description, ...NO_NUL });
const nullableName = (description: string) =>
  Type.Optional(
    Type.Unsafe<string | null>({
      type: ["string", "null"],
      minLength: 1,
      maxLength: 200,
      description,
      ...NO_NUL,
    }),
  );
const money = (description: string) =>
  Type.Optional(
    Type.Unsafe<number | null>({
      type: ["number", "null"],
      minimum: 0,
      maximum: 1_000_000,
      description,
    }),
  );

/** The language model that writes a workspace's AI replies. */
export const models = {
  readModel: operation("model.show", {
    says: "The language model of the workspace, without its key",
    at: "GET /model",
    input: {},
    answer: ModelJson,
    example: { input: {}, answer: modelExample, after: "model.set" },
    errors: [],
    trace: null,
    ...setting,
  }),
  setModel: operation("model.set", {
    says: "Set the language model, its key and what it may cost",
    more: "Without `key` the stored one stays, if protocol and address stay. The key is sealed and never shown.",
    at: "PUT /model",
    input: {
      protocol: oneOf(MODEL_PROTOCOLS, "How the provider is spoken to."),
      url: Type.String({
        minLength: 1,
        maxLength: 2048,
        description: "The provider's base address, without the path of a call.",
        ...NO_NUL,
      }),
      name: nameOfModel("The model's name at the provider."),
      key: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 500,
          description: "The provider's key.",
          ...NO_NUL,
        }),
      ),
      secondName: nullableName("A cheaper model for summaries, translations and rewriting."),
      inputPrice: money("What a million tokens of questions cost."),
      outputPrice: money("What a million tokens of answers cost."),
      costPerDay: money("The most that bots may spend in a day of UTC."),
      costPerMonth: money("The most that bots may spend in a month of UTC."),
    },
    answer: ModelJson,
    example: {
      input: {
        protocol: "openai-chat",
        url: "https://203.0.114.7/v1",
        name: "large",
        key: "sk-example",
        inputPrice: 0.5,
        outputPrice: 1.5,
        costPerDay: 5,
        costPerMonth: 50,
      },
      answer: modelExample,
    },
    errors: [],
    trace: "audit",
    proven: true,
    ...setting,
  }),
  listModelNames: operation("model.list_names", {
    says: "List the names of the provider's models, those that are set first",
    more: "A provider that lists none, or does not answer in 5 s, leaves those that are set.",
    at: "GET /model/names",
    input: {},
    answer: Type.Object({
      default: nullableText("The model that is set. Null: none is."),
      items: Type.Array(Type.String(), { description: "Names, at most 200." }),
    }),
    example: {
      input: {},
      answer: { default: "large", items: ["large"] },
      after: "model.set",
    },
    errors: [],
    trace: null,
    ...setting,
  }),
  testModel: operation("model.test", {
    says: "Ask the model a short question",
    more: "It costs what the provider takes for some fifty tokens, and no AI reply.",
    at: "POST /model/test",
    input: {},
    answer: ModelTestJson,
    example: {
      input: {},
      answer: {
        ok: true,
        outcome: "ok",
        detail: null,
        emulated: false,
        ms: 840,
        tokens: 52,
        model: "large",
      },
      after: "model.set",
    },
    errors: ["NOT_FOUND"],
    trace: "audit",
    ...setting,
  }),
} as const;
