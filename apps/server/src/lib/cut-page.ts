import { invalid } from "../errors.ts";
import { isId } from "./ids.ts";

/**
 * The id from which a page goes on; null: it is the first page. Throws VALIDATION_FAILED for a text that is no id: a
 * cursor that was cut off must not look like the end of the list, or begin it again.
 */
export function cursorOf(cursor: string | undefined): string | null {
  if (cursor !== undefined && !isId(cursor)) throw badCursor();
  return cursor ?? null;
}

/** What a cursor answers that no page gave. */
export const badCursor = () => invalid("cursor", "must be the nextCursor of the page before");

/**
 * Makes a page out of rows. The query must have asked for `limit + 1` rows: the additional row shows that another page
 * follows. `last` is the row to read on from. It is null at the end, also when the last page is full.
 */
export function cutPage<Row>(
  rows: readonly Row[],
  limit: number,
): { readonly items: readonly Row[]; readonly last: Row | null } {
  if (rows.length <= limit) return { items: rows, last: null };
  const items = rows.slice(0, limit);
  return { items, last: items.at(-1) ?? null };
}
