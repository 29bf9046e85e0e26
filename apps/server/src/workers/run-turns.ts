import { sweepAssists } from "../bots/assist/assist-calls.ts";
import { createTurnRunner } from "../bots/turn/run-turns.ts";
import { sweepTurns } from "../bots/turn/settle-turn.ts";
import type { Context } from "../context.ts";
import { inFlightRounds } from "./run-in-flight.ts";
import type { Worker } from "./worker.ts";

/** Has models answer for bots: each waits for a model most of its time. */
export function createRunTurnsWorker(context: Context): Worker {
  const runner = createTurnRunner(context);
  const { inFlight } = runner;
  const rounds = inFlightRounds(context, { begin: () => runner.claim(), inFlight });
  return { name: "run-turns", queue: "runs", pollMs: 1_000, ...rounds };
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
