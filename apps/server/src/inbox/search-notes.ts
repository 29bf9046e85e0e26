import type { Context } from "../context.ts";
import type { Db } from "../db/database.ts";
import { invalid } from "../errors.ts";
import { isId, MAX_ID } from "../lib/ids.ts";
import {
  excerptOf,
  readQuery,
  searchQuery,
  type Excerpt,
} from "../messages/search/search-terms.ts";
import {
  lockUnsearchedNotes,
  putNoteTerms,
  selectFoundNotes,
  selectNoteMatches,
  type FoundNote,
} from "./note-search-store.ts";

export interface NoteHit extends FoundNote {
  readonly excerpt: Excerpt;
}

export interface FoundNotes {
  readonly items: readonly NoteHit[];
  /** There are at least this many; counted up to 1,000. */
  readonly total: number;
  /** Whether `total` is the exact number. */
  readonly exact: boolean;
  readonly nextCursor: string | null;
}

/** A search does not count on. */
const MOST = 1_000;
/** Older notes of one piece, as `messages/search/index-messages.ts` takes messages. */
const OLD = 1_000;

/**
 * Notes that have all words of the text, the newest first, by the rules of `searchMessages`. Throws VALIDATION_FAILED
 * for a wrong cursor.
 */
export async function searchNotes(
  context: Pick<Context, "db">,
  workspaceId: string,
  search: string,
  page: { readonly cursor?: string | undefined; readonly limit: number },
): Promise<FoundNotes> {
  const { cursor, limit } = page;
  if (cursor !== undefined && !isId(cursor)) throw invalid("cursor", "must be a nextCursor");
  const words = readQuery(search);
  if (!words) return { items: [], total: 0, exact: true, nextCursor: null };
  const query = searchQuery(workspaceId, words);
  const window = { before: cursor ?? MAX_ID, limit: limit + 1, most: MOST };
  const found = await selectNoteMatches(context.db, workspaceId, query, window);
  const ids = found.ids.slice(0, limit);
  const rows = ids.length === 0 ? [] : await selectFoundNotes(context.db, workspaceId, ids);
  return {
    items: rows.map((row) => ({ ...row, excerpt: excerptOf(row.text, words) })),
    total: found.total,
    exact: found.exact,
    nextCursor: found.ids.length > limit ? (ids.at(-1) ?? null) : null,
  };
}

/** Brings a batch of notes that are older than the search into it. Returns how many; 0: all are there. */
export async function backfillNotes(context: Pick<Context, "background">): Promise<number> {
  const limit = Math.max(50, Math.ceil(await context.background.size(OLD)));
  return context.background.piece((db: Db) =>
    db.transaction(async (tx) => {
      const notes = await lockUnsearchedNotes(tx, limit);
      if (notes.length > 0) await putNoteTerms(tx, notes);
      return notes.length;
    }),
  );
}
