import type { Context } from "../context.ts";
import { readDueSource } from "../knowledge/reading/read-sources.ts";
import type { Worker } from "./worker.ts";

/** Reads new files and pages of the knowledge, and pages again once a day. */
export function createReadKnowledgeWorker(context: Context): Worker {
  return {
    name: "read-knowledge",
    queue: "housekeeping",
    pollMs: 5_000,
    runOnce: () => readDueSource(context),
  };
}
