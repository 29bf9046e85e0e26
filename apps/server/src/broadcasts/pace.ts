import { MOST_AHEAD_MS } from "../lib/clock.ts";

/**
 * How fast a campaign may send: a token budget in the campaign's row, so that it survives a restart and holds
 * across workers. Pure: the claim reads the row under its lock, takes tokens and writes them back.
 */
export interface Pace {
  /** Whole and part tokens left; a send takes one. */
  readonly tokens: number;
  /** When `tokens` was true. Null: never sent. */
  readonly at: Date | null;
}

export const RATE_FLOOR = 10;
export const RATE_CEILING = 1_000_000;

/**
 * What may go at once after a rest: one second's worth. From 30 a minute on at least two, so that a worker that looks
 * every quarter of a second never finds a full budget that could not grow; at fewer, what is lost so is little.
 */
export function burstOf(ratePerMinute: number): number {
  return Math.max(ratePerMinute < 30 ? 1 : 2, Math.floor(ratePerMinute / 60));
}

/**
 * What the budget grows by in a minute. Any window of 60 s can hold a full burst and one minute's refill, and both
 * together must not pass the rate: `rate − burst`, which costs 1.7 % of the pace, up to 7 % at 30 a minute. Where the
 * burst is one send that would be a tenth of the slowest pace; since part of a send is none, nine tenths of it are kept.
 */
export function refillRate(ratePerMinute: number): number {
  const burst = burstOf(ratePerMinute);
  return ratePerMinute - (burst === 1 ? 0.1 : burst);
}

/**
 * The budget at `now`.
 * A clock that stepped back gives nothing and takes nothing; by more than five minutes, and the budget begins anew with
 * one send, which writes it down.
 */
export function refill(pace: Pace, ratePerMinute: number, now: Date): Pace {
  const burst = burstOf(ratePerMinute);
  if (pace.at === null) return { tokens: burst, at: now };
  const passed = now.getTime() - pace.at.getTime();
  if (passed < -MOST_AHEAD_MS) return { tokens: 1, at: now };
  const elapsed = Math.max(0, passed);
  const gained = (elapsed * refillRate(ratePerMinute)) / 60_000;
  return {
    tokens: Math.min(burst, pace.tokens + gained),
    at: elapsed > 0 ? now : pace.at,
  };
}

/** Whole sends the budget allows. The small term forgives the rounding of repeated refills, never a whole send. */
export function allowed(pace: Pace): number {
  return Math.floor(pace.tokens + 1e-9);
}

/** Takes tokens for so many sends out of the bucket; it does not go below empty. */
export function take(pace: Pace, count: number): Pace {
  return { tokens: Math.max(0, pace.tokens - count), at: pace.at };
}
