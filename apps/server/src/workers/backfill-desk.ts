import type { Context } from "../context.ts";
import { backfillDesk } from "../messages/record/backfill-desk.ts";
import type { Worker } from "./worker.ts";

/** Brings older conversations into the inbox. Once all are in, it does nothing until the next start. */
export function createBackfillDeskWorker(context: Context): Worker {
  let left = true;
  return {
    name: "backfill-desk",
    queue: "housekeeping",
    pollMs: 1_000,
    async runOnce() {
      if (!left) return 0;
      const looked = await backfillDesk(context);
      left = looked !== null;
      return looked ?? 0;
    },
  };
}
