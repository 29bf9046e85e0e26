import { LONG } from "./group.ts";

/**
 * Where the draws of all properties begin in a whole run. The long suite begins elsewhere each time and finds what is new.
 * The short one draws the same each time, so that a change is judged by what it changed. `PROPERTY_SEED=…` draws what a
 * failure has named.
 */
export const seed = Number(
  process.env["PROPERTY_SEED"] ?? (LONG ? Date.now() & 0x7fffffff : 20_260_101),
);
