import { runImportFile, type FileRunContext } from "../imports/run-import-files.ts";
import type { Worker } from "./worker.ts";

/** Takes in the files of contacts that members uploaded, one at a time. */
export function createRunImportFilesWorker(context: FileRunContext): Worker {
  let stopped = false;
  return {
    name: "run-import-files",
    queue: "housekeeping",
    pollMs: 5_000,
    runOnce: async () => (!stopped && (await runImportFile(context, () => stopped)) ? 1 : 0),
    async stop() {
      // The running import ends after its batch, and the loop waits for it.
      stopped = true;
    },
  };
}
