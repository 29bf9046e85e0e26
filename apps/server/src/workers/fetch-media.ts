import type { Context } from "../context.ts";
import { createFetcher } from "../media/fetch-media.ts";
import { settleAttachment } from "../messages/record/settle-attachment.ts";
import type { Worker } from "./worker.ts";

/**
 * Fetches the files that customers sent. A round starts fetches while there is room. Then it waits for the first one to
 * end or for new files, so that a slow platform does not delay the others.
 */
export function createFetchMediaWorker(context: Context): Worker {
  const fetcher = createFetcher(context, settleAttachment);
  return {
    name: "fetch-media",
    queue: "media",
    pollMs: 2000,
    async runOnce() {
      const nudges = context.wake.nudges("media");
      const started = await fetcher.claim();
      const before = fetcher.inFlight.size;
      if (before === 0) return started;
      if (context.wake.nudges("media") === nudges) {
        const done = new AbortController();
        const nudged = context.wake.wait("media", 1000, done.signal);
        await Promise.race([...fetcher.inFlight, nudged]);
        done.abort();
      }
      return Math.max(1, before - fetcher.inFlight.size);
    },
    stop: () => fetcher.stop(),
  };
}
