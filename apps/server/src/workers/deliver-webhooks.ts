import { setTimeout as sleep } from "node:timers/promises";
import type { Context } from "../context.ts";
import { createDeliveryLanes } from "../webhooks/delivery-lanes.ts";
import type { Worker } from "./worker.ts";

// Retries and the rest after a failure come due without a nudge.
const POLL_MS = 500;
// Between two turns: what is answered or emitted in the meantime shares the next transaction.
const GAP_MS = 10;

/**
 * Sends webhooks. `runOnce` does not wait for slow receivers: it comes back when there is something to settle or when
 * there may be new work, and says 1 while lanes are under way so that it is called again.
 */
export function createDeliverWebhooksWorker(context: Context): Worker {
  const lanes = createDeliveryLanes(context);
  const { wake } = context;

  async function newWork(nudges: number, signal: AbortSignal): Promise<void> {
    if (wake.nudges("deliveries") === nudges) await wake.wait("deliveries", POLL_MS, signal);
  }

  return {
    name: "deliver-webhooks",
    queue: "deliveries",
    pollMs: POLL_MS,
    async runOnce() {
      const nudges = wake.nudges("deliveries");
      await lanes.turn();
      if (lanes.running > 0) {
        const done = new AbortController();
        await Promise.race([lanes.news(), newWork(nudges, done.signal)]);
        done.abort();
        await sleep(GAP_MS);
      }
      return Math.max(lanes.takeSettled(), lanes.running > 0 ? 1 : 0);
    },
    stop: () => lanes.stop(),
  };
}
