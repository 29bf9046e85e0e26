import type { Context } from "../context.ts";
import { backfillNotes } from "../inbox/search-notes.ts";
import { backfillSearch, indexDue } from "../messages/search/index-messages.ts";
import type { Worker } from "./worker.ts";

/** Brings new messages into the search. */
export function createIndexMessagesWorker(context: Context): Worker {
  return {
    name: "index-messages",
    queue: "housekeeping",
    pollMs: 500,
    runOnce: () => indexDue(context),
  };
}

/** Brings notes and messages that are older than the search into it. New messages do not wait for its pieces. */
export function createIndexOldMessagesWorker(context: Context): Worker {
  let left = true;
  return {
    name: "index-old-messages",
    queue: "housekeeping",
    pollMs: 1_000,
    async runOnce() {
      if (!left) return 0;
      const notes = await backfillNotes(context);
      if (notes > 0) return notes;
      const looked = await backfillSearch(context);
      left = looked !== null;
      return looked ?? 0;
    },
  };
}
