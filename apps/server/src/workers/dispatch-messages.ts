import { reserveBatchPlaces } from "../broadcasts/send/batch-places.ts";
import type { Context } from "../context.ts";
import { createDispatcher } from "../messages/send/dispatch-replies.ts";
import type { Worker } from "./worker.ts";

const POLL_MS = 1_000;
/** While what batches handed in waits for the next places of its number: those are taken half a second ahead. */
const PACED_MS = 100;

/**
 * Hands replies to their platforms. A round starts calls while there is room. Then it waits for the first call to end
 * or for new work, so that a slow platform does not delay the others.
 */
export function createDispatchWorker(context: Context): Worker {
  const dispatcher = createDispatcher(context, (channel, wanted) =>
    reserveBatchPlaces(context, channel, wanted),
  );
  const pollMs = () => (dispatcher.isPaced() ? PACED_MS : POLL_MS);
  let stopped = false;
  return {
    name: "dispatch-messages",
    queue: "messages",
    get pollMs() {
      return pollMs();
    },
    async runOnce() {
      if (stopped) return 0;
      const nudges = context.wake.nudges("messages");
      const started = await dispatcher.claim();
      const before = dispatcher.inFlight.size;
      if (before === 0) return started;
      // A nudge since the claim may be for a reply that the claim did not see. Without room none can be taken anyway.
      if (dispatcher.isFull()) await Promise.race(dispatcher.inFlight);
      else if (context.wake.nudges("messages") === nudges) {
        const done = new AbortController();
        const nudged = context.wake.wait("messages", pollMs(), done.signal);
        await Promise.race([...dispatcher.inFlight, nudged]);
        done.abort();
      }
      // Calls are settled in batches. The other calls of the batch end too before the next claim.
      await new Promise((resolve) => setImmediate(resolve));
      return Math.max(1, before - dispatcher.inFlight.size);
    },
    async stop() {
      stopped = true;
      await Promise.all(dispatcher.inFlight);
    },
  };
}
