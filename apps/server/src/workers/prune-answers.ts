import { pruneAnswers } from "../api-keys/kept-answers.ts";
import type { Context } from "../context.ts";
import type { Worker } from "./worker.ts";

/** Removes answers stored under idempotency keys once their 24 hours are over. */
export function createPruneAnswersWorker(context: Context): Worker {
  return {
    name: "prune-answers",
    queue: "housekeeping",
    pollMs: 600_000,
    runOnce: () => pruneAnswers(context),
  };
}
