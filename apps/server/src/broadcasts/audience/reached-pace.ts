import type { Context } from "../../context.ts";
import type { Broadcast } from "../record/broadcast.ts";
import { placesPerMinute } from "../send/pace.ts";
import { selectPastRuns } from "./past-runs-store.ts";

/** A campaign that ran to its end undisturbed. */
export interface PastRun {
  /** Its pace, a minute. */
  readonly rate: number;
  /** Messages that were handed to the platform. */
  readonly calls: number;
  /** From the first place to the last outcome. */
  readonly seconds: number;
}

const MEMORY_MS = 30 * 24 * 3_600_000;
const RUNS = 5;
/** A short run says little: its beginning and end weigh too much. */
const LEAST_CALLS = 500;
/** A run is held back when it took this much longer than its pace needs. */
const HELD_BACK = 1.15;

/**
 * The messages a minute that earlier runs reached where their pace was not kept, because this machine or the platform
 * was slower. Null: every run kept its pace, or there is none, so nothing slower is known.
 */
export function reachedIn(runs: readonly PastRun[]): number | null {
  const reached = runs.map(({ calls, seconds }) => (calls * 60) / Math.max(seconds, 1));
  const held = runs.some(
    ({ rate, calls, seconds }) =>
      seconds > HELD_BACK * ((Math.max(0, calls - 1) * 60) / placesPerMinute(rate)),
  );
  return held ? Math.max(...reached) : null;
}

/** What the last five long, undisturbed runs of such campaigns reached a minute in 30 days; null: no bound is known. */
export async function reachedPace(
  context: Pick<Context, "db" | "clock">,
  broadcast: Broadcast,
): Promise<number | null> {
  const since = new Date(context.clock.now().getTime() - MEMORY_MS);
  const wanted = { since, calls: LEAST_CALLS, limit: RUNS };
  return reachedIn(await selectPastRuns(context.db, broadcast, wanted));
}
