import { openDue } from "../broadcasts/open-due.ts";
import { sendRound } from "../broadcasts/send-round.ts";
import { storeAudiences } from "../broadcasts/store-audience.ts";
import { sweepRecipients } from "../broadcasts/sweep-recipients.ts";
import type { Context } from "../context.ts";
import type { Worker } from "./worker.ts";

const SWEEP_EVERY_MS = 5_000;

/** Campaigns: opens what is due, stores audiences, sends, clears up after workers that died. Apart from replies. */
export function createRunBroadcastsWorker(context: Context): Worker {
  let sweptAt = 0;
  let stopping = false;
  return {
    name: "run-broadcasts",
    queue: "broadcasts",
    // Also the grain of the pace: at 80 a second each turn finds about twenty tokens.
    pollMs: 250,
    async stop() {
      stopping = true;
    },
    async runOnce() {
      let handled = await openDue(context);
      handled += await storeAudiences(context);
      const now = context.clock.now().getTime();
      if (Math.abs(now - sweptAt) >= SWEEP_EVERY_MS) {
        sweptAt = now;
        handled += await sweepRecipients(context);
      }
      return handled + (await sendRound(context, () => stopping));
    },
  };
}
