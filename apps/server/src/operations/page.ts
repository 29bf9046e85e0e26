import { Type } from "typebox";
import { NO_NUL } from "../wire/schema.ts";

/** How many items a page has when the caller does not say. */
export const PAGE_ITEMS = 50;

/**
 * The input of every list: `cursor` and `limit` go in, `items` and `nextCursor` come out. `after` says what the cursor
 * is, `example` one, `longest` how many characters one may have.
 */
export const pageInput = (after: string, example: string, longest = 200) => ({
  cursor: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: longest,
      description: after,
      examples: [example],
      ...NO_NUL,
    }),
  ),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      default: PAGE_ITEMS,
      description: "How many items at most; above 200 acts as 200.",
      examples: [PAGE_ITEMS],
      "x-cap": 200,
    }),
  ),
});
