import { rerunTouched } from "../bots/cases/rerun-cases.ts";
import { workCases } from "../bots/cases/work-cases.ts";
import type { Context } from "../context.ts";
import { patientRounds } from "./patient-rounds.ts";
import type { Worker } from "./worker.ts";

/** Has bots answer their cases: each waits for a model most of its time. */
export function createRunCasesWorker(context: Context): Worker {
  return {
    name: "run-cases",
    queue: "runs",
    pollMs: 1_000,
    ...patientRounds(context, {
      queue: "runs",
      atOnce: 16,
      inRound: 4,
      run: (limit) => workCases(context, limit),
    }),
  };
}

/** Begins runs over cases whose sources changed. */
export function createRerunCasesWorker(context: Context): Worker {
  return {
    name: "rerun-cases",
    queue: "housekeeping",
    pollMs: 5_000,
    runOnce: () => rerunTouched(context),
  };
}
