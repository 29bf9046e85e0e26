import type { Context } from "../context.ts";
import { MOST_AHEAD_MS } from "../lib/clock.ts";
import { callNow, selectFuture } from "./flight-store.ts";
import { lockCampaigns } from "./recipient-store.ts";

/**
 * Calls that began while the machine's clock stood far ahead are not waited for until that day: evidence has the 15
 * minutes from now on. Gives how many batches.
 */
export async function forgetFutureCalls(context: Pick<Context, "db" | "clock">): Promise<number> {
  const now = context.clock.now();
  const latest = new Date(now.getTime() + MOST_AHEAD_MS);
  return context.db.transaction(async (tx) => {
    const keys = await selectFuture(tx, latest);
    if (keys.length === 0) return 0;
    await lockCampaigns(tx, keys);
    return callNow(tx, keys, latest, now);
  });
}
