import { Type } from "typebox";
import { ID } from "../../wire/schema.ts";

/** Text that can be a record's id, as every list takes it. */
export const idText = (description: string) =>
  Type.String({
    pattern: "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$",
    maxLength: 36,
    "x-fault": "must be an id",
    description,
    examples: [ID],
  });

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
