import type { Db } from "../../db/database.ts";
import { invalid } from "../../errors.ts";
import { isId, MAX_ID } from "../../lib/ids.ts";
import { allMatches, nearMatches, type SearchedTable, type Wanted } from "./search-sql.ts";
import { excerptOf, readQuery, searchQuery, type Excerpt } from "./search-terms.ts";

export interface FoundPage<Row> {
  readonly items: readonly (Row & { readonly excerpt: Excerpt })[];
  /** There are at least this many; counted up to 1,000. */
  readonly total: number;
  /** Whether `total` is the exact number. */
  readonly exact: boolean;
  readonly nextCursor: string | null;
}

export interface SearchPage {
  readonly cursor?: string | undefined;
  readonly limit: number;
}

/** The highest total that is counted. */
const MOST = 1_000;

/**
 * One page of the rows that have all words of the text, the newest first. The last word may be the beginning of a longer
 * one. `read` gives the rows of some ids, the newest first. Throws VALIDATION_FAILED for a wrong cursor.
 */
export async function foundPage<Row extends { readonly text: string }>(
  db: Db,
  workspaceId: string,
  search: string,
  { cursor, limit }: SearchPage,
  of: SearchedTable & { readonly read: (ids: readonly string[]) => Promise<Row[]> },
): Promise<FoundPage<Row>> {
  if (cursor !== undefined && !isId(cursor)) throw invalid("cursor", "must be a nextCursor");
  const words = readQuery(search);
  if (!words) return { items: [], total: 0, exact: true, nextCursor: null };
  const query = searchQuery(workspaceId, words);
  const found = await findMatches(
    db,
    of,
    { workspaceId, query, before: cursor ?? MAX_ID },
    limit + 1,
  );
  const ids = found.ids.slice(0, limit);
  const rows = ids.length === 0 ? [] : await of.read(ids);
  return {
    items: rows.map((row) => ({ ...row, excerpt: excerptOf(row.text, words) })),
    total: found.total,
    exact: found.exact,
    nextCursor: found.ids.length > limit ? (ids.at(-1) ?? null) : null,
  };
}

/**
 * The ids of the newest matches, and how many there are at least. Two statements ask in two ways: the planner believes
 * that workspace and words are independent of each other, and would choose the wrong way.
 */
async function findMatches(
  db: Db,
  table: SearchedTable,
  wanted: Wanted,
  limit: number,
): Promise<{ readonly ids: readonly string[]; readonly total: number; readonly exact: boolean }> {
  const near = await db.query<{ id: string }>(nearMatches(table, wanted));
  if (near.length >= limit)
    return { ids: near.slice(0, limit).map(({ id }) => id), total: near.length, exact: false };
  const all = await db.query<{ id: string; total: number }>(
    allMatches(table, wanted, { limit, most: MOST }),
  );
  const total = all[0]?.total ?? 0;
  return { ids: all.map(({ id }) => id), total, exact: total < MOST };
}
