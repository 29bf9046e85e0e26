const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** The waits after the first to the eighth failed attempt: four hours in all (contract §5, Webhook delivery). */
export const RETRY_GAPS_MS: readonly number[] = [
  15 * SECOND,
  60 * SECOND,
  4 * MINUTE,
  10 * MINUTE,
  25 * MINUTE,
  45 * MINUTE,
  60 * MINUTE,
  94 * MINUTE + 45 * SECOND,
];

/** How much a retry may move, as a share of its gap. */
export const JITTER = 0.1;

/**
 * When to try again after `failures` failed attempts, counted from the last attempt; null when all eight retries are
 * used. `random` gives 0 to 1: it moves the retry by up to ±10 % of the gap, so that those of many endpoints spread.
 */
export function nextAttempt(
  failures: number,
  attemptedAt: Date,
  random: () => number,
): Date | null {
  const gap = RETRY_GAPS_MS[failures - 1];
  if (gap === undefined) return null;
  return new Date(Math.round(attemptedAt.getTime() + gap * (1 + JITTER * (2 * random() - 1))));
}
