/**
 * Makes a page out of rows; the query asked for one more row than the page has, which tells whether another page
 * follows. `last` is the row to read on from, or null at the end, also where the last page is full.
 */
export function cutPage<Row>(
  rows: readonly Row[],
  limit: number,
): { readonly items: readonly Row[]; readonly last: Row | null } {
  if (rows.length <= limit) return { items: rows, last: null };
  const items = rows.slice(0, limit);
  return { items, last: items.at(-1) ?? null };
}
