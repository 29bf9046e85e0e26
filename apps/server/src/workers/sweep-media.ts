import type { Context } from "../context.ts";
import { sweepMedia } from "../media/sweep-media.ts";
import type { Worker } from "./worker.ts";

/** Removes files that are past their time: those of withdrawn messages, and uploads that were never sent. */
export function createSweepMediaWorker(context: Context): Worker {
  return {
    name: "sweep-media",
    queue: "housekeeping",
    pollMs: 60_000,
    runOnce: () => sweepMedia(context),
  };
}
