import type { Context } from "../context.ts";
import { syncSmppLinks } from "../sms/sync-smpp-links.ts";
import type { Worker } from "./worker.ts";

/** Binds SMPP accounts that nobody sends over, so that their receipts come in. */
export function createKeepSmppLinksWorker(context: Context): Worker {
  return {
    name: "keep-smpp-links",
    queue: "housekeeping",
    pollMs: 30_000,
    async runOnce() {
      await syncSmppLinks(context);
      return 0;
    },
  };
}
