import type { Context } from "../context.ts";
import { refreshStaleSegment, type RestingWorkspaces } from "../segments/count-segment.ts";
import type { Worker } from "./worker.ts";

/** Keeps the counts that segments show. One at a time: a count may read a whole workspace. */
export function createRefreshSegmentsWorker(
  context: Pick<Context, "clock" | "log" | "background">,
): Worker {
  const resting: RestingWorkspaces = new Map();
  return {
    name: "refresh-segments",
    queue: "housekeeping",
    pollMs: 30_000,
    async runOnce() {
      // A count is one statement that may read a whole workspace.
      const counting = { ...context, db: context.background.db };
      return (await refreshStaleSegment(counting, resting)) ? 1 : 0;
    },
  };
}
