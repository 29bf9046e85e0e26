import type { Context } from "../context.ts";
import { pruneImportRefusals } from "../contacts/import/import-refusals.ts";
import type { Worker } from "./worker.ts";

/** Deletes the refused rows of old imports. */
export function createPruneImportsWorker(context: Pick<Context, "db" | "clock">): Worker {
  return {
    name: "prune-imports",
    queue: "housekeeping",
    pollMs: 3_600_000,
    runOnce: () => pruneImportRefusals(context),
  };
}
