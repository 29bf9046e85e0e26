import { setTimeout as sleep } from "node:timers/promises";

/** Where time comes from. Nothing else in the domain calls `Date.now()`. Tests set it themselves. */
export interface Clock {
  now(): Date;
  /** Resolves after this many milliseconds. In tests time stands still, and nothing waits. */
  pass(ms: number): Promise<void>;
}

/**
 * The most that the clocks of two processes may differ. A stored time further ahead than possible was written by a
 * wrong clock, such as that of a machine that woke up a day ahead. Nobody shall wait until that day comes.
 */
export const MOST_AHEAD_MS = 5 * 60_000;

/** The latest time that a right clock can write now for something that is due in `ms`. */
export const latestFor = (now: Date, ms: number): Date =>
  new Date(now.getTime() + ms + MOST_AHEAD_MS);

/** This machine's own clock; the app measures it against PostgreSQL's (db/database-clock.ts). */
export const systemClock: Clock = { now: () => new Date(), pass: waitFor };

/** Waits at least `ms` by the timer of the process. A clock that is set meanwhile changes nothing. */
export async function waitFor(ms: number): Promise<void> {
  await sleep(Math.ceil(ms));
}
