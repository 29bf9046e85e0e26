import { sweepAssists } from "../bots/assist/assist-calls.ts";
import { runTurns } from "../bots/turn/run-turns.ts";
import { sweepTurns } from "../bots/turn/settle-turn.ts";
import type { Context } from "../context.ts";
import type { Worker } from "./worker.ts";

/** Turns at once in one process. Each waits for a model most of its time. */
const AT_ONCE = 64;
/** The next ones are claimed after this long, although some go on: one provider that hangs holds up no one else. */
const PATIENCE_MS = 2_000;

/** Has models answer for bots. */
export function createRunTurnsWorker(context: Context): Worker {
  const running = new Set<Promise<unknown>>();
  let places = AT_ONCE;
  return {
    name: "run-turns",
    queue: "bots",
    pollMs: 1_000,
    async runOnce() {
      const limit = Math.min(places, 16);
      if (limit === 0) return 0;
      places -= limit;
      const batch = runTurns(context, limit);
      running.add(batch);
      const done = batch.finally(() => {
        places += limit;
        running.delete(batch);
      });
      // One that ends with an error after the wait was given up is heard here: the next round claims again.
      done.catch(() => {});
      const patience = new AbortController();
      const late = context.wake.wait("bots", PATIENCE_MS, patience.signal).then(() => limit);
      try {
        return await Promise.race([done, late]);
      } finally {
        patience.abort();
      }
    },
    async stop() {
      await Promise.allSettled(running);
    },
  };
}

/** Gives back the AI replies and the money that turns and calls of lost processes hold. */
export function createSweepTurnsWorker(context: Context): Worker {
  return {
    name: "sweep-turns",
    queue: "housekeeping",
    pollMs: 5_000,
    runOnce: async () => (await sweepTurns(context, 100)) + (await sweepAssists(context, 100)),
  };
}
