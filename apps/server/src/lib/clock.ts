import { setTimeout as sleep } from "node:timers/promises";

/** Where time comes from. Tests hold it; nothing else in the domain calls `Date.now()`. */
export interface Clock {
  now(): Date;
  /** Resolves after this many milliseconds. In tests time stands still, and nothing waits. */
  pass(ms: number): Promise<void>;
}

/**
 * Processes may differ by so much at the most: a time that is further ahead of what it can be was written by a clock
 * that was wrong (a machine that woke up a day ahead), and nobody is to wait until that day comes.
 */
export const MOST_AHEAD_MS = 5 * 60_000;

/** The latest time that a clock that is right can write now for something `ms` from now. */
export const latestFor = (now: Date, ms: number): Date =>
  new Date(now.getTime() + ms + MOST_AHEAD_MS);

/** This machine's own clock; the app measures it against PostgreSQL's (db/database-clock.ts). */
export const systemClock: Clock = { now: () => new Date(), pass: waitFor };

/** Waits by the timer of the process: at least so long, however its clock is set meanwhile. */
export async function waitFor(ms: number): Promise<void> {
  await sleep(Math.ceil(ms));
}
