import { endThrottles } from "../channels/fail-channel.ts";
import type { Tx } from "../db/database.ts";
import { latestFor } from "../lib/clock.ts";
import { MOST_WAIT_MS } from "./judge-outcome.ts";

/** Ends waits of channels that a clock far ahead has stored: they last longer than a platform may ask. Returns how many. */
export const forgetFutureThrottles = (tx: Tx, now: Date): Promise<number> =>
  endThrottles(tx, latestFor(now, MOST_WAIT_MS));
