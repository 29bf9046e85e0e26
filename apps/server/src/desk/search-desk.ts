import type { Context } from "../context.ts";
import type { DeskRow } from "../http/dashboard/contract/desk-shapes.ts";
import { deskRows } from "./read-desk.ts";
import { searchDeskRows, type DeskSearch } from "./search-desk-store.ts";

/** Conversations of the inbox that match, at most `limit`. Those that moved last come first. */
export async function searchDesk(
  context: Pick<Context, "db">,
  workspaceId: string,
  search: DeskSearch,
  limit: number,
): Promise<readonly DeskRow[]> {
  const ids = await searchDeskRows(context.db, workspaceId, search, limit);
  if (ids.length === 0) return [];
  const rows = await deskRows(context.db, workspaceId, ids);
  const places = new Map(ids.map((id, place) => [id, place]));
  return rows.toSorted((a, b) => (places.get(a.id) ?? 0) - (places.get(b.id) ?? 0));
}
