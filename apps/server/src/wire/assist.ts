import { Type } from "typebox";
import { count, oneOf, text, type Shown } from "./schema.ts";

/** A text that a model wrote for a member. */
export const AssistJson = Type.Object(
  {
    text: text("What it wrote. No one is sent it."),
    model: text("The model's name at its provider."),
    tokens: count("What it used."),
    cost: Type.Number({ minimum: 0, description: "Money, in the currency of the prices." }),
    ms: count("How long it took."),
  },
  { $id: "Assist", description: "A text that a model wrote for a member." },
);
export type AssistJson = Shown<typeof AssistJson>;

/** Questions that a model proposes for a source. */
export const QuestionsJson = Type.Object(
  {
    items: Type.Array(
      Type.Object({
        text: text("How a customer may ask."),
        lang: oneOf(["en", "ar"], "Its language."),
      }),
      { description: "None that the source has already." },
    ),
    model: text("The model's name at its provider."),
    tokens: count("What it used."),
    cost: Type.Number({ minimum: 0, description: "Money, in the currency of the prices." }),
    ms: count("How long it took."),
  },
  { $id: "SuggestedQuestions", description: "Ways to ask for what a source says." },
);
export type QuestionsJson = Shown<typeof QuestionsJson>;
