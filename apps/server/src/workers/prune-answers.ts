import { pruneAnswers } from "../api-keys/kept-answers.ts";
import type { Context } from "../context.ts";
import type { Worker } from "./worker.ts";

/** Deletes answers kept under idempotency keys once they are 24 hours old. */
export function createPruneAnswersWorker(context: Context): Worker {
  return {
    name: "prune-answers",
    queue: "housekeeping",
    pollMs: 600_000,
    runOnce: () => pruneAnswers(context),
  };
}
