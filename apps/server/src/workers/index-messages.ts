import type { Context } from "../context.ts";
import { backfillSearch, indexDue } from "../messages/search/index-messages.ts";
import type { Worker } from "./worker.ts";

/** Brings messages into the search: new ones first, then older ones that are not in it yet. */
export function createIndexMessagesWorker(context: Context): Worker {
  let left = true;
  return {
    name: "index-messages",
    queue: "housekeeping",
    pollMs: 1_000,
    async runOnce() {
      const fresh = await indexDue(context);
      if (fresh > 0 || !left) return fresh;
      const looked = await backfillSearch(context);
      left = looked !== null;
      return looked ?? 0;
    },
  };
}
