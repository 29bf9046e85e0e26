import { setTimeout as sleep } from "node:timers/promises";
import type { Context } from "../context.ts";
import { createDeliveryLanes } from "../webhooks/delivery-lanes.ts";
import type { Worker } from "./worker.ts";

// Retries and the rest after a failure come due without a nudge.
const POLL_MS = 500;
// Under a stream of events every claim would be followed by a nudge, while the endpoints are all still busy.
const CLAIM_GAP_MS = 20;

/**
 * Sends webhooks. `runOnce` does not wait for slow receivers: it comes back when a lane ended or when there may be
 * new work, and says 1 while lanes are under way so that it is called again.
 */
export function createDeliverWebhooksWorker(context: Context): Worker {
  const lanes = createDeliveryLanes(context);
  const { wake } = context;

  async function newWork(nudges: number, signal: AbortSignal): Promise<void> {
    if (wake.nudges("deliveries") === nudges) await wake.wait("deliveries", POLL_MS, signal);
    await sleep(CLAIM_GAP_MS, undefined, { signal }).catch(() => {});
  }

  return {
    name: "deliver-webhooks",
    queue: "deliveries",
    pollMs: POLL_MS,
    async runOnce() {
      const nudges = wake.nudges("deliveries");
      await lanes.start();
      if (lanes.running > 0) {
        const done = new AbortController();
        await Promise.race([lanes.laneEnded(), newWork(nudges, done.signal)]);
        done.abort();
      }
      return Math.max(lanes.takeSettled(), lanes.running > 0 ? 1 : 0);
    },
    stop: () => lanes.stop(),
  };
}
