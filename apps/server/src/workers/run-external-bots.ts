import { createExternalRunner } from "../bots/external/run-external.ts";
import type { Context } from "../context.ts";
import type { Worker } from "./worker.ts";

/** Calls external bots whose customers wait. A round ends with the first call that ends, or when there is new work. */
export function createRunExternalBotsWorker(context: Context): Worker {
  const runner = createExternalRunner(context);
  let stopped = false;
  return {
    name: "run-external-bots",
    queue: "bots",
    pollMs: 1_000,
    async runOnce() {
      if (stopped) return 0;
      const nudges = context.wake.nudges("bots");
      const started = await runner.claim();
      const before = runner.inFlight.size;
      if (before === 0) return started;
      if (context.wake.nudges("bots") === nudges) {
        const done = new AbortController();
        const nudged = context.wake.wait("bots", 1_000, done.signal);
        await Promise.race([...runner.inFlight, nudged]);
        done.abort();
      }
      return Math.max(1, before - runner.inFlight.size);
    },
    async stop() {
      stopped = true;
      await Promise.all(runner.inFlight);
    },
  };
}
