import { createFlowRunner } from "../bots/flow/work-flows.ts";
import type { Context } from "../context.ts";
import { inFlightRounds } from "./run-in-flight.ts";
import type { Worker } from "./worker.ts";

/** Takes the turns of flows whose customer wrote, or whose time is over, and makes their calls. */
export function createWorkFlowsWorker(context: Context): Worker {
  const runner = createFlowRunner(context);
  const { inFlight } = runner;
  const rounds = inFlightRounds(context, { begin: () => runner.work(8), inFlight });
  return { name: "work-flows", queue: "runs", pollMs: 1_000, ...rounds };
}
