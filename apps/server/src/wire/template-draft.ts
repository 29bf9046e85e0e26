import { Type, type Static } from "typebox";
import { ID, NO_NUL, oneOf } from "./schema.ts";
import { TEMPLATE_CATEGORIES } from "./words.ts";

/** Longer than any part may be, so that the rules can name the part that is too long. */
const words = (description: string, example: string) =>
  Type.String({ maxLength: 5_000, ...NO_NUL, description, examples: [example] });

const Header = Type.Union(
  [
    Type.Object(
      {
        kind: Type.Literal("text", { description: "A line of text." }),
        text: words("At most 60 characters, with one variable at most.", "Order {{1}}"),
        example: Type.Optional(words("A value for the variable, for the reviewers.", "1042")),
      },
      { additionalProperties: false },
    ),
    Type.Object(
      {
        kind: oneOf(["image", "video", "document"], "A file, which each send gives."),
        file: Type.String({
          minLength: 1,
          maxLength: 100,
          ...NO_NUL,
          description: "An upload (`POST /v1/media`) that shows the reviewers an example.",
          examples: [ID],
        }),
      },
      { additionalProperties: false },
    ),
  ],
  { description: "Above the body." },
);

const label = words("Its text, at most 25 characters.", "Track it");
const Button = Type.Union(
  [
    Type.Object(
      {
        kind: Type.Literal("quick_reply", { description: "Answers with its text." }),
        text: label,
      },
      { additionalProperties: false },
    ),
    Type.Object(
      {
        kind: Type.Literal("url", { description: "Opens an address." }),
        text: label,
        url: words(
          "The address. It may end with {{1}}, which each send fills.",
          "https://shop.example/orders/{{1}}",
        ),
        example: Type.Optional(
          words(
            "The whole address with a value, for the reviewers.",
            "https://shop.example/orders/1",
          ),
        ),
      },
      { additionalProperties: false },
    ),
    Type.Object(
      {
        kind: Type.Literal("phone", { description: "Calls a number." }),
        text: label,
        phone: words("The number with its country code.", "+96522000000"),
      },
      { additionalProperties: false },
    ),
  ],
  { description: "One button." },
);

/**
 * The content of a template. Names of faults in `details`: `body`, `bodyExamples[0]`, `headerExample`,
 * `buttons[1].text` …
 */
export const templateWording = {
  named: Type.Optional(
    Type.Boolean({
      description:
        "Header and body name their variables: {{first_name}}. Without it they are numbers: {{1}}. Of a template that exists it stays as it is.",
    }),
  ),
  header: Type.Optional(Header),
  body: words(
    "The text, at most 1,024 characters.",
    "Hello {{1}}, your order {{2}} is on its way.",
  ),
  bodyExamples: Type.Optional(
    Type.Array(words("A value.", "Sara"), {
      maxItems: 100,
      description: "A value for each variable of the body, for the reviewers.",
    }),
  ),
  footer: Type.Optional(words("A line below the body, at most 60 characters.", "Shop")),
  buttons: Type.Optional(
    Type.Array(Button, {
      maxItems: 20,
      description: "At most 10, two of them addresses and one a phone number.",
    }),
  ),
};

/** A template to submit for review. */
export const newTemplate = {
  channelId: Type.String({
    minLength: 1,
    maxLength: 100,
    ...NO_NUL,
    description: "The WhatsApp channel that gets it.",
    examples: [ID],
  }),
  name: words(
    "Lower-case letters, digits and underscores. It cannot be changed later.",
    "order_update",
  ),
  language: words("A language code.", "en"),
  category: oneOf(TEMPLATE_CATEGORIES, "The platform may choose another.", "UTILITY"),
  ...templateWording,
};

const members = Type.Object(templateWording);
export const contentExample: Static<typeof members> = {
  body: "Hello {{1}}, your order {{2}} is on its way to you.",
  bodyExamples: ["Sara", "1042"],
  buttons: [],
};
