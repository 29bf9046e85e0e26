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
