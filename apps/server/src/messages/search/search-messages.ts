import type { Context } from "../../context.ts";
import { invalid } from "../../errors.ts";
import { isId, MAX_ID } from "../../lib/ids.ts";
import { selectFound, selectMatches, type FoundMessage } from "./search-store.ts";
import { excerptOf, readQuery, searchQuery, type Excerpt } from "./search-terms.ts";

export interface MessageHit extends FoundMessage {
  readonly excerpt: Excerpt;
}

export interface FoundMessages {
  readonly items: readonly MessageHit[];
  /** There are at least this many; counted up to 1,000. */
  readonly total: number;
  /** Whether `total` is the exact number. */
  readonly exact: boolean;
  readonly nextCursor: string | null;
}

/** The highest total that is counted. */
const MOST = 1_000;

/**
 * Messages that have all words of the text, the newest first. The last word may be the beginning of a longer one.
 * Campaigns are left out. Throws VALIDATION_FAILED for a wrong cursor.
 */
export async function searchMessages(
  context: Pick<Context, "db">,
  workspaceId: string,
  search: string,
  page: { readonly cursor?: string | undefined; readonly limit: number },
): Promise<FoundMessages> {
  const { cursor, limit } = page;
  if (cursor !== undefined && !isId(cursor)) throw invalid("cursor", "must be a nextCursor");
  const words = readQuery(search);
  if (!words) return { items: [], total: 0, exact: true, nextCursor: null };
  const query = searchQuery(workspaceId, words);
  const window = { before: cursor ?? MAX_ID, limit: limit + 1, most: MOST };
  const found = await selectMatches(context.db, workspaceId, query, window);
  const ids = found.ids.slice(0, limit);
  const rows = ids.length === 0 ? [] : await selectFound(context.db, workspaceId, ids);
  return {
    items: rows.map((row) => ({ ...row, excerpt: excerptOf(row.text, words) })),
    total: found.total,
    exact: found.exact,
    nextCursor: found.ids.length > limit ? (ids.at(-1) ?? null) : null,
  };
}
