import { Rests } from "../broadcasts/send/rests.ts";
import { sendRound } from "../broadcasts/send/send-round.ts";
import { sweepRecipients } from "../broadcasts/send/sweep-recipients.ts";
import type { Context } from "../context.ts";
import { describeForLog } from "../db/describe-for-log.ts";
import type { Worker } from "./worker.ts";

const SWEEP_EVERY_MS = 5_000;
/** No longer than places are taken ahead. At 80 calls a second each turn finds about twenty recipients. */
const BUSY_POLL_MS = 250;
/** The poll after nothing was sent for a while. Only a campaign that another process started waits for it. */
const QUIET_POLL_MS = 1_000;
const QUIET_AFTER_MS = 10_000;

/**
 * Sends campaigns that have their audience, apart from replies. Also settles recipients that dead workers left behind.
 */
export function createRunBroadcastsWorker(context: Context): Worker {
  let sweptAt = 0;
  let stopping = false;
  let quiet = false;
  let busyAt = 0;
  const rests = new Rests();
  /** Runs every five seconds, even while one round takes as long as a campaign. */
  const sweep = async (): Promise<number> => {
    const now = context.clock.now().getTime();
    if (Math.abs(now - sweptAt) < SWEEP_EVERY_MS) return 0;
    sweptAt = now;
    return sweepRecipients(context);
  };
  return {
    name: "run-broadcasts",
    queue: "broadcasts",
    get pollMs() {
      if (quiet) return QUIET_POLL_MS;
      return Math.min(BUSY_POLL_MS, rests.soonest(context.clock.now()) ?? BUSY_POLL_MS);
    },
    async stop() {
      stopping = true;
    },
    async runOnce() {
      let handled = await sweep();
      const sweeps = setInterval(() => {
        sweep().catch((error: unknown) =>
          context.log.warn(
            describeForLog(error),
            "recipients of dead workers could not be settled",
          ),
        );
      }, SWEEP_EVERY_MS);
      handled += await sendRound(context, () => stopping, rests).finally(() =>
        clearInterval(sweeps),
      );
      const now = context.clock.now().getTime();
      if (handled > 0) busyAt = now;
      quiet = Math.abs(now - busyAt) >= QUIET_AFTER_MS;
      return handled;
    },
  };
}
