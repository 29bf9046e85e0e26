import type { Context } from "../context.ts";

/** Work that goes on between rounds. */
interface InFlightRunner {
  /** Begins what is due. Gives how much it was. */
  begin(): Promise<number>;
  readonly inFlight: ReadonlySet<Promise<void>>;
}

/**
 * The rounds of a worker of bots whose calls go on between them: it begins what is due; when nothing is, a round ends with the
 * first call that ends, or when there is new work.
 */
export function inFlightRounds(
  context: Pick<Context, "wake">,
  runner: InFlightRunner,
): { readonly runOnce: () => Promise<number>; readonly stop: () => Promise<void> } {
  let stopped = false;
  return {
    async runOnce() {
      if (stopped) return 0;
      const nudges = context.wake.nudges("runs");
      const begun = await runner.begin();
      const before = runner.inFlight.size;
      if (begun > 0 || before === 0) return begun;
      if (context.wake.nudges("runs") === nudges) {
        const done = new AbortController();
        const nudged = context.wake.wait("runs", 1_000, done.signal);
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
