import { setTimeout as sleep } from "node:timers/promises";
import type { Context } from "../context.ts";
import { createDeliveryLanes } from "../webhooks/delivery-lanes.ts";
import type { Worker } from "./worker.ts";

// Retries, and endpoints that rest after a failure, become due without a nudge.
const POLL_MS = 500;
// An answered delivery waits this long, so that others share its transaction. New work waits for nothing.
const GAP_MS = 10;
// Under load, turns keep the gap on average. This many turns that were not needed may be made up at once.
const TURNS_SAVED = 8;

/**
 * Sends webhooks. `runOnce` does not wait for slow receivers: it returns when there is something to settle or may be
 * new work. It gives at least 1 while lanes are under way, so that it is called again.
 */
export function createDeliverWebhooksWorker(
  context: Context,
  { gapMs = GAP_MS }: { readonly gapMs?: number } = {},
): Worker {
  const lanes = createDeliveryLanes(context);
  const { wake } = context;

  async function newWork(nudges: number, ms: number, signal: AbortSignal): Promise<void> {
    if (wake.nudges("deliveries") === nudges) await wake.wait("deliveries", ms, signal);
  }

  /** When the next turn is due after all saved turns are used up. */
  let paceAt = Number.NEGATIVE_INFINITY;
  async function paced(): Promise<void> {
    const now = performance.now();
    paceAt = Math.max(paceAt, now - TURNS_SAVED * gapMs) + gapMs;
    if (paceAt > now) await sleep(paceAt - now);
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
        await Promise.race([lanes.news(), newWork(nudges, POLL_MS, done.signal)]);
        await newWork(nudges, gapMs, done.signal);
        done.abort();
        await paced();
      }
      return Math.max(lanes.takeSettled(), lanes.running > 0 ? 1 : 0);
    },
    stop: () => lanes.stop(),
  };
}
