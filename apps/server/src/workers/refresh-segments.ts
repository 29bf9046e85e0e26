import type { Context } from "../context.ts";
import { refreshStaleSegment } from "../segments/count-segment.ts";
import type { Worker } from "./worker.ts";

/** Keeps the counts that segments show. One at a time: a count may read a whole workspace. */
export function createRefreshSegmentsWorker(
  context: Pick<Context, "db" | "clock" | "log">,
): Worker {
  return {
    name: "refresh-segments",
    queue: "housekeeping",
    pollMs: 30_000,
    async runOnce() {
      return (await refreshStaleSegment(context)) ? 1 : 0;
    },
  };
}
