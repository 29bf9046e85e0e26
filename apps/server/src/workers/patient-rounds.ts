import type { Context } from "../context.ts";
import type { Queue } from "../lib/wake.ts";
import type { Worker } from "./worker.ts";

/** The next round begins after this long, although calls go on: one provider that hangs holds up no one else. */
const PATIENCE_MS = 2_000;

/** Rounds of a worker whose calls may take long: `atOnce` in one process, at most `inRound` claimed together. */
export function patientRounds(
  { wake }: Pick<Context, "wake">,
  {
    queue,
    atOnce,
    inRound,
    run,
  }: {
    readonly queue: Queue;
    readonly atOnce: number;
    readonly inRound: number;
    readonly run: (limit: number) => Promise<number>;
  },
): Pick<Worker, "runOnce" | "stop"> {
  const running = new Set<Promise<unknown>>();
  let places = atOnce;
  return {
    async runOnce() {
      const limit = Math.min(places, inRound);
      if (limit === 0) return 0;
      places -= limit;
      const batch = run(limit);
      running.add(batch);
      const done = batch.finally(() => {
        places += limit;
        running.delete(batch);
      });
      // One that ends with an error after the wait was given up is heard here: the next round claims again.
      done.catch(() => {});
      const patience = new AbortController();
      const late = wake.wait(queue, PATIENCE_MS, patience.signal).then(() => limit);
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
