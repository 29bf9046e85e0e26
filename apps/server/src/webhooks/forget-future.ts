import type { Context } from "../context.ts";
import { MOST_AHEAD_MS } from "../lib/clock.ts";
import { byIndexAlone, forgetFuture } from "./delivery-store.ts";
import { JITTER, RETRY_GAPS_MS } from "./retry-schedule.ts";

const LONGEST_MS = Math.max(...RETRY_GAPS_MS) * (1 + JITTER);

/**
 * Deliveries that were written or tried while the machine's clock stood far ahead do not wait for that day: they are due
 * now. Gives how many.
 */
export async function forgetFutureDeliveries(
  context: Pick<Context, "db" | "clock" | "wake">,
): Promise<number> {
  const now = context.clock.now();
  const count = await context.db.transaction(async (tx) => {
    tx.later(byIndexAlone(tx));
    return forgetFuture(tx, now, new Date(now.getTime() + LONGEST_MS + MOST_AHEAD_MS));
  });
  if (count > 0) context.wake.nudge("deliveries");
  return count;
}
