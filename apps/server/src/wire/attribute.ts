import { Type } from "typebox";
import { NO_NUL, nullableText, oneOf, ref, text, type Shown } from "./schema.ts";
import { ATTRIBUTE_TYPES } from "./words.ts";

const Words = (maxLength: number, description: string, example: string) =>
  Type.String({ minLength: 1, maxLength, ...NO_NUL, description, examples: [example] });

export const AttributeKey = Words(200, "Its name in `attributes` of contacts.", "tier");

/** What a program gives to define an attribute. */
export const attributeMembers = {
  type: oneOf(ATTRIBUTE_TYPES, "What it holds.", "choice"),
  label: Type.Optional(Words(200, "What people call it; `key` when absent.", "Tier")),
  choices: Type.Optional(
    Type.Array(Words(200, "One of them.", "gold"), {
      maxItems: 200,
      description: "For the type `choice` only, which needs them: all that it can be.",
    }),
  ),
};

export const ContactAttributeJson = Type.Object(
  {
    key: text("Its name in `attributes` of contacts."),
    label: text("What people call it."),
    type: oneOf(ATTRIBUTE_TYPES, "What it holds."),
    choices: Type.Array(text("One of them."), {
      description: "Of a choice: all that it can be; else empty.",
    }),
  },
  { $id: "ContactAttribute", description: "What a custom attribute of contacts holds." },
);
export type ContactAttributeJson = Shown<typeof ContactAttributeJson>;

export const ContactAttributePageJson = Type.Object(
  {
    items: Type.Array(ref(ContactAttributeJson), { description: "By key." }),
    nextCursor: nullableText("Give it as `cursor` to read on. Null at the end."),
  },
  { $id: "ContactAttributePage", description: "Read on with `cursor` until `nextCursor` is null." },
);

export const attributeExample: ContactAttributeJson = {
  key: "tier",
  label: "Tier",
  type: "choice",
  choices: ["gold", "silver"],
};
