import type { Context } from "../context.ts";
import { backfillNotes } from "../inbox/search-notes.ts";
import { backfillSearch, indexDue } from "../messages/search/index-messages.ts";
import type { Worker } from "./worker.ts";

/** Brings messages into the search: new ones first, then notes and messages that are older than the search. */
export function createIndexMessagesWorker(context: Context): Worker {
  let left = true;
  return {
    name: "index-messages",
    queue: "housekeeping",
    pollMs: 1_000,
    async runOnce() {
      const fresh = await indexDue(context);
      if (fresh > 0 || !left) return fresh;
      const notes = await backfillNotes(context);
      if (notes > 0) return notes;
      const looked = await backfillSearch(context);
      left = looked !== null;
      return looked ?? 0;
    },
  };
}
