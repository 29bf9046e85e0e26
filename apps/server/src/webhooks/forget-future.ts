import type { Context } from "../context.ts";
import { MOST_AHEAD_MS } from "../lib/clock.ts";
import { LEASE_MS } from "./delivery-lanes.ts";
import { HOLDING_FAILURES, RESTS_MS } from "./delivery-policy.ts";
import { byIndexAlone, forgetFuture } from "./delivery-store.ts";
import { JITTER, RETRY_GAPS_MS } from "./retry-schedule.ts";

/** The longest that a delivery waits which failed so often in its round: by the schedule; not yet tried, as an earlier event of its message. */
const WAITS_MS = [Math.max(...RETRY_GAPS_MS.slice(0, HOLDING_FAILURES - 1)), ...RETRY_GAPS_MS].map(
  (ms) => ms * (1 + JITTER),
);

/**
 * Deliveries that were written or tried while the machine's clock stood far ahead do not wait for that day, nor do
 * endpoints that were being sent to: they are due now. Gives how many deliveries.
 */
export async function forgetFutureDeliveries(
  context: Pick<Context, "db" | "clock" | "wake">,
): Promise<number> {
  const now = context.clock.now();
  const after = (ms: number) => new Date(now.getTime() + ms + MOST_AHEAD_MS);
  const count = await context.db.transaction(async (tx) => {
    tx.later(byIndexAlone(tx));
    return forgetFuture(tx, now, {
      latest: WAITS_MS.map(after),
      leasesEnd: after(Math.max(LEASE_MS, ...RESTS_MS)),
    });
  });
  if (count > 0) context.wake.nudge("deliveries");
  return count;
}
