import type { Context } from "../context.ts";
import { removeAsked } from "../removal/ask-removal.ts";
import type { Worker } from "./worker.ts";

/** Deletes workspaces whose deletion their owners asked for. */
export function createRemoveWorkspacesWorker(context: Context): Worker {
  return {
    name: "remove-workspaces",
    queue: "housekeeping",
    pollMs: 5_000,
    runOnce: () => removeAsked(context),
  };
}
