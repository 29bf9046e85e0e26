import type { Context } from "../context.ts";
import { refreshStaleSegment, type RestingWorkspaces } from "../segments/count-segment.ts";
import type { Worker } from "./worker.ts";

/** Refreshes the counts that segments show, one at a time, because a count may read a whole workspace. */
export function createRefreshSegmentsWorker(
  context: Pick<Context, "clock" | "log" | "background">,
): Worker {
  const resting: RestingWorkspaces = new Map();
  return {
    name: "refresh-segments",
    queue: "housekeeping",
    pollMs: 30_000,
    async runOnce() {
      const counting = { ...context, db: context.background.db };
      return (await refreshStaleSegment(counting, resting)) ? 1 : 0;
    },
  };
}
