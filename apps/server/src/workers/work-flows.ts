import { workFlows } from "../bots/flow/work-flows.ts";
import type { Context } from "../context.ts";
import type { Worker } from "./worker.ts";

/** Takes the turns of flows whose customer wrote, or whose time is over. */
export function createWorkFlowsWorker(context: Context): Worker {
  return {
    name: "work-flows",
    queue: "bots",
    pollMs: 1_000,
    runOnce: () => workFlows(context, 8),
  };
}
