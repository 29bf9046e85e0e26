import type { Context } from "../context.ts";
import type { DeskRow } from "../wire/desk-shapes.ts";
import { cutPage } from "../lib/cut-page.ts";
import { deskPlaceOf, deskRows } from "./read-desk.ts";
import { searchDeskRows, type DeskSearch } from "./search-desk-store.ts";

/**
 * A page of the inbox's conversations that match. Those that moved last come first. `cursor`: the `nextCursor` of the
 * page before. Throws VALIDATION_FAILED for a wrong one.
 */
export async function searchDesk(
  context: Pick<Context, "db">,
  workspaceId: string,
  search: DeskSearch,
  page: { readonly cursor: string | undefined; readonly limit: number },
): Promise<{ readonly items: readonly DeskRow[]; readonly nextCursor: string | null }> {
  const after = deskPlaceOf(page.cursor, "newest");
  const found = await searchDeskRows(context.db, workspaceId, search, after, page.limit + 1);
  const { items: ids, last } = cutPage(found, page.limit);
  if (ids.length === 0) return { items: [], nextCursor: null };
  const rows = new Map((await deskRows(context.db, workspaceId, ids)).map((row) => [row.id, row]));
  const end = last === null ? undefined : rows.get(last);
  return {
    items: ids.flatMap((id) => rows.get(id) ?? []),
    nextCursor: end ? `${Date.parse(end.deskAt)}_${end.id}` : null,
  };
}
