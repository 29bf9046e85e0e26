import { Type } from "typebox";
import { idText } from "../../operations/ids.ts";

/** What lists that are read by cursor take. */
export const cursorQuery = {
  cursor: Type.Optional(idText("`nextCursor` of the page before.")),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      default: 50,
      "x-cap": 200,
      description: "How many at most. Above 200 acts as 200.",
      examples: [50],
    }),
  ),
};
