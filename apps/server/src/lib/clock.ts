/** Where time comes from. Tests hold it; nothing else in the domain calls `Date.now()`. */
export interface Clock {
  now(): Date;
}

/**
 * Processes may differ by so much at the most: a time that is further ahead of what it can be was written by a clock that
 * was wrong (a machine that woke up a day ahead), and nobody is to wait until that day comes.
 */
export const MOST_AHEAD_MS = 5 * 60_000;

/** This machine's own clock; the app measures it against PostgreSQL's (db/database-clock.ts). */
export const systemClock: Clock = { now: () => new Date() };
