import { MOST_AHEAD_MS } from "../../lib/clock.ts";

/**
 * How fast a campaign may send. Each call has a place in time, one pace apart from the next, and the row knows the
 * next free place: so no second holds more than the pace, over restarts and over all workers. Pure: whoever takes
 * places reads the row under its lock and writes it back.
 */
export interface Pace {
  /** The millisecond of the next place; null: never sent. */
  readonly at: Date | null;
  /** How much of a place there is at `at`: 1 when the next one is at `at` itself, less when it is a little later. */
  readonly tokens: number;
}

export const RATE_FLOOR = 10;
export const RATE_CEILING = 1_000_000;

/** The most recipients of a turn. */
const BATCH = 256;
const SMALLEST = 32;
const TURNS_A_SECOND = 16;
const SHORTEST_TURN_MS = 20;
export const LONGEST_TURN_MS = 250;
/**
 * How long before the first place of a turn it is begun, in a steady campaign: preparing takes this long on a busy
 * machine.
 */
const LEAD_MS = 250;
/** How much later a free place begins: the intent to call must be committed first. */
const COMMIT_MS = 10;

/**
 * Recipients per turn at a pace: those of a sixteenth of a second. If a campaign prepared a quarter of a second at
 * a time, it would keep both cores busy four times a second, and requests would wait that long.
 */
export const batchOf = (ratePerMinute: number): number =>
  Math.min(BATCH, Math.max(SMALLEST, Math.ceil(ratePerMinute / 60 / TURNS_A_SECOND)));

/** How long the places of a turn last: 62 ms from 512 a second on, 250 ms at most. */
const turnMs = (ratePerMinute: number): number =>
  Math.min(LONGEST_TURN_MS, (batchOf(ratePerMinute) * 60_000) / ratePerMinute);

/**
 * How far ahead places are taken: one turn and a lead, so that a campaign that is looked at once a turn has its
 * next calls prepared when their places come. Not further, because what a killed process had prepared has an
 * unknown outcome.
 */
export const aheadMs = (ratePerMinute: number): number => turnMs(ratePerMinute) + LEAD_MS;

/** When a campaign whose next free place is at `next` has its turn: between 20 and 250 ms from `now`. */
export function turnAt(next: number, now: Date): Date {
  const at = Math.max(SHORTEST_TURN_MS, Math.min(LONGEST_TURN_MS, next - LEAD_MS - now.getTime()));
  return new Date(now.getTime() + at);
}

/**
 * Places a minute. Both ends of a minute may hold one, so it is a little less than the pace. For fast ones it is a
 * five-hundredth less, so that a call a moment after its place does not make a minute exceed the pace.
 */
export const placesPerMinute = (ratePerMinute: number): number =>
  ratePerMinute - Math.max(0.1, ratePerMinute / 500);

const perMs = (ratePerMinute: number): number => placesPerMinute(ratePerMinute) / 60_000;

/**
 * When the next call may be made at the earliest, in ms: `now`, or later when places were taken ahead. A clock
 * that stepped back changes nothing; after more than five minutes, places begin anew.
 */
export function nextPlace(pace: Pace, ratePerMinute: number, now: Date): number {
  const at = pace.at?.getTime() ?? -Infinity;
  if (at - now.getTime() > MOST_AHEAD_MS) return now.getTime();
  // Less than a millisecond is missing; at another pace that was more, or an older version stored it.
  const least = Math.min(0, 1 - perMs(ratePerMinute));
  const there = Math.min(1, Math.max(least, pace.tokens));
  return Math.max(now.getTime(), at + (1 - there) / perMs(ratePerMinute));
}

/**
 * How many places there are from `next` until `until`, both in ms. The small term compensates for rounding, never
 * for a place.
 */
export function placesUntil(next: number, ratePerMinute: number, until: number): number {
  return until < next ? 0 : Math.floor((until - next) * perMs(ratePerMinute) + 1e-9) + 1;
}

/** The place that comes `count` after the one at `place`. */
export const placeAfter = (place: number, ratePerMinute: number, count: number): number =>
  place + count / perMs(ratePerMinute);

/** The row with `next` as the next free place. */
export function paceAt(next: number, ratePerMinute: number): Pace {
  const at = Math.floor(next);
  return { at: new Date(at), tokens: 1 - (next - at) * perMs(ratePerMinute) };
}

/** The earliest place for a call whose intent is about to be committed. */
export const afterCommit = (now: Date): number => now.getTime() + COMMIT_MS;
