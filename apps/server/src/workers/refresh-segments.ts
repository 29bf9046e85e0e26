import type { Context } from "../context.ts";
import { refreshStaleSegment } from "../segments/count-segment.ts";
import type { Worker } from "./worker.ts";

/** Keeps the counts that segments show. One at a time: a count may read a whole workspace. */
export function createRefreshSegmentsWorker(
  context: Pick<Context, "clock" | "log" | "background">,
): Worker {
  return {
    name: "refresh-segments",
    queue: "housekeeping",
    pollMs: 30_000,
    async runOnce() {
      // A count is one statement that may read a whole workspace.
      return (await refreshStaleSegment({ ...context, db: context.background.db })) ? 1 : 0;
    },
  };
}
