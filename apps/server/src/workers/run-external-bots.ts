import { createExternalRunner } from "../bots/external/run-external.ts";
import type { Context } from "../context.ts";
import { inFlightRounds } from "./run-in-flight.ts";
import type { Worker } from "./worker.ts";

/** Calls external bots whose customers wait. */
export function createRunExternalBotsWorker(context: Context): Worker {
  const runner = createExternalRunner(context);
  const { inFlight } = runner;
  const rounds = inFlightRounds(context, { begin: () => runner.claim(), inFlight });
  return { name: "run-external-bots", queue: "runs", pollMs: 1_000, ...rounds };
}
