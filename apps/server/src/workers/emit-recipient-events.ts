import { emitRecipientNews } from "../broadcasts/audience/recipient-news.ts";
import type { Context } from "../context.ts";
import type { Worker } from "./worker.ts";

/** Emits events of single recipients where an endpoint names them. A look that finds nothing is two short statements. */
export function createEmitRecipientEventsWorker(context: Context): Worker {
  return {
    name: "emit-recipient-events",
    queue: "housekeeping",
    pollMs: 1_000,
    runOnce: () => emitRecipientNews(context),
  };
}
