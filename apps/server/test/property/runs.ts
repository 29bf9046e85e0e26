import { LONG } from "../group.ts";

/** How often a property is drawn: half as often in the short suite; `PROPERTY_RUNS=10`: ten times. */
export const runsOf = (count: number): number =>
  Math.ceil(count * Number(process.env["PROPERTY_RUNS"] ?? (LONG ? 1 : 0.5)));

/**
 * Where the draws begin. The long suite begins elsewhere each time and finds what is new; the short one draws the same
 * each time, so that a change is judged by what it changed. `PROPERTY_SEED=…` draws what a failure has named.
 */
export const seed = Number(
  process.env["PROPERTY_SEED"] ?? (LONG ? Date.now() & 0x7fffffff : 20_260_101),
);
