import type { Context } from "../context.ts";
import { followDesk } from "../messages/record/follow-desk.ts";
import type { Worker } from "./worker.ts";

/**
 * Brings into the inbox what its rows were not told when it happened. A look that finds nothing is two short
 * statements.
 */
export function createFollowDeskWorker(context: Context): Worker {
  return {
    name: "follow-desk",
    queue: "housekeeping",
    pollMs: 250,
    runOnce: () => followDesk(context),
  };
}
