import { Type } from "typebox";
import { NO_NUL, nullableText, text, type Shown } from "./schema.ts";

export const LabelJson = Type.Object(
  {
    name: text("Lower case."),
    color: text("#rrggbb."),
  },
  { $id: "Label", description: "A label of conversations that has a color." },
);
export type LabelJson = Shown<typeof LabelJson>;

export const LabelPageJson = Type.Object(
  {
    items: Type.Array(LabelJson, { description: "By name." }),
    nextCursor: nullableText("Give it as `cursor` to read on. Null at the end."),
  },
  { $id: "LabelPage", description: "Read on with `cursor` until `nextCursor` is null." },
);

/** The name of a label in a request. It is stored in lower case, without spaces around it. */
export const LabelName = Type.String({
  minLength: 1,
  maxLength: 80,
  description: "1 to 80 characters; stored in lower case.",
  examples: ["vip"],
  ...NO_NUL,
});

export const labelExample: LabelJson = { name: "vip", color: "#b3261e" };
