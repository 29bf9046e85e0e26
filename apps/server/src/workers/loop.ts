import { setTimeout as sleep } from "node:timers/promises";
import type { Context } from "../context.ts";
import type { Worker } from "./worker.ts";
import { describeForLog } from "../db/describe-for-log.ts";

const FIRST_PAUSE_MS = 250;
/** Short, because a database that was away is found again after this pause: campaigns and replies wait no longer. */
const LONGEST_PAUSE_MS = 1_000;

/** Running loops. `stop` starts no further round, and resolves when the rounds in progress are finished. */
export interface Loops {
  stop(): Promise<void>;
}

/**
 * Runs each worker for ever: rounds until one finds nothing, then a wait for a nudge or the poll. A round that throws
 * is logged, and a pause follows that grows to one second. It never ends the loop.
 */
export function startLoops(
  context: Pick<Context, "wake" | "log">,
  workers: readonly Worker[],
): Loops {
  const halt = new AbortController();
  const running = workers.map((worker) => runLoop(context, worker, halt.signal));
  return {
    async stop() {
      halt.abort();
      // Workers are told first. A running round then starts no further calls, and calls under way are settled.
      await Promise.all([...workers.map((worker) => worker.stop?.()), ...running]);
    },
  };
}

async function runLoop(
  { wake, log }: Pick<Context, "wake" | "log">,
  worker: Worker,
  halt: AbortSignal,
): Promise<void> {
  let pause = FIRST_PAUSE_MS;
  while (!halt.aborted) {
    // Counted before the round: a nudge during the round may be for work that the round did not see.
    const nudges = wake.nudges(worker.queue);
    try {
      const handled = await worker.runOnce();
      pause = FIRST_PAUSE_MS;
      if (handled > 0 || wake.nudges(worker.queue) !== nudges) continue;
    } catch (error) {
      log.error({ worker: worker.name, ...describeForLog(error), pauseMs: pause }, "worker failed");
      await sleep(pause, undefined, { signal: halt }).catch(() => {});
      pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
      continue;
    }
    await wake.wait(worker.queue, worker.pollMs, halt);
  }
}
