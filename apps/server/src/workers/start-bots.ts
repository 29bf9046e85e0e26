import { startBots } from "../bots/thread/start-bots.ts";
import { handOverStuck } from "../bots/hand-over/hand-over-stuck.ts";
import { endSilent } from "../bots/turn/end-silent.ts";
import type { Context } from "../context.ts";
import type { Worker } from "./worker.ts";

/** Starts or wakes the bots of conversations in which a customer wrote. */
export function createStartBotsWorker(context: Context): Worker {
  return {
    name: "start-bots",
    queue: "bots",
    pollMs: 1_000,
    runOnce: () => startBots(context, 50),
  };
}

/** Hands over conversations whose bot does not go on. */
export function createHandOverStuckWorker(context: Context): Worker {
  return {
    name: "hand-over-stuck",
    queue: "housekeeping",
    pollMs: 5_000,
    runOnce: () => handOverStuck(context, 50),
  };
}

/** Ends the runs of bots whose customers have been silent for a day. */
export function createEndSilentWorker(context: Context): Worker {
  return {
    name: "end-silent",
    queue: "housekeeping",
    pollMs: 60_000,
    runOnce: () => endSilent(context, 100),
  };
}
