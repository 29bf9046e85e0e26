import type { Context } from "../context.ts";
import type { Db } from "../db/database.ts";
import { foundPage, type FoundPage, type SearchPage } from "../messages/search/found-page.ts";
import {
  lockUnsearchedNotes,
  NOTES,
  putNoteTerms,
  selectFoundNotes,
  type FoundNote,
} from "./note-search-store.ts";

export type NoteHit = FoundPage<FoundNote>["items"][number];

/** Older notes of one piece, as `messages/search/index-messages.ts` takes messages. */
const OLD = 1_000;

/** Notes that have all words of the text, by the rules of `foundPage`. */
export const searchNotes = (
  { db }: Pick<Context, "db">,
  workspaceId: string,
  search: string,
  page: SearchPage,
): Promise<FoundPage<FoundNote>> =>
  foundPage(db, workspaceId, search, page, {
    ...NOTES,
    read: (ids) => selectFoundNotes(db, workspaceId, ids),
  });

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
