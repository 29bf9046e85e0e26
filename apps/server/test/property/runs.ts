import { LONG } from "../group.ts";

/** How often a property is drawn: half as often in the short suite; `PROPERTY_RUNS=10`: ten times. */
export const runsOf = (count: number): number =>
  Math.ceil(count * Number(process.env["PROPERTY_RUNS"] ?? (LONG ? 1 : 0.5)));
