import type { Tx } from "../../db/database.ts";
import { latestFor } from "../../lib/clock.ts";
import { MOST_WAIT_MS } from "../../sending/judge-outcome.ts";
import { endWaitsBeyond, selectBeyond } from "../audience/future-store.ts";
import { lockCampaigns } from "../audience/recipient-store.ts";
import { endNumberWaits } from "./pace-store.ts";

/**
 * Ends what a clock far ahead has left of campaigns and their numbers: waits that last longer than a platform may ask,
 * and halvings that have not happened yet. Returns how many campaigns and numbers had some.
 */
export async function forgetFutureWaits(tx: Tx, now: Date): Promise<number> {
  const bounds = { now, latest: latestFor(now, 0), latestWait: latestFor(now, MOST_WAIT_MS) };
  const numbers = await endNumberWaits(tx, bounds);
  const keys = await selectBeyond(tx, bounds);
  if (keys.length > 0) {
    await lockCampaigns(tx, keys);
    await endWaitsBeyond(tx, keys, bounds);
  }
  return numbers + keys.length;
}
