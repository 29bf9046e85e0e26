import type { RateLimits } from "./rate-limits.ts";

/** How often it looks whether the first store is back. */
const LOOK_MS = 1_000;
/** A first store that takes longer for a count is away: a request waits for it. */
const ANSWER_MS = 400;

/**
 * Counts in `first`, and in `second` while `first` cannot or does not answer within `ANSWER_MS`, so that calls go on and
 * are still limited. Each store is exact. In the minute of a change, a key may pass as often again as its rule allows.
 * `told` is called once for each change, with the fault of `first`, or null when it is back; no call waits for it.
 */
export function createFallbackRateLimits(
  first: RateLimits,
  second: RateLimits,
  told: (fault: string | null) => void,
  lookMs = LOOK_MS,
): RateLimits {
  let away = false;
  let looking = false;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;

  /** Reports why `first` is away. It looks for the return afterwards, so that the two reports keep their order. */
  async function leave(): Promise<void> {
    away = true;
    told((await first.fault().catch(String)) ?? "it was away for a moment");
    if (away && !closed) timer = setInterval(() => void look(), lookMs).unref();
  }

  async function look(): Promise<void> {
    if (looking) return;
    looking = true;
    const back = (await first.fault().catch(() => "")) === null;
    looking = false;
    if (!back || !away) return;
    clearInterval(timer);
    away = false;
    told(null);
  }

  return {
    async take(key, rule) {
      if (away) return second.take(key, rule);
      try {
        return await inTime(first.take(key, rule));
      } catch {
        // Many calls fail at once, but only the first one reports it.
        if (!away) void leave();
        return second.take(key, rule);
      }
    },
    fault: () => first.fault(),
    usesFallback: () => away,
    async close() {
      closed = true;
      clearInterval(timer);
      await Promise.all([first.close(), second.close()]);
    },
  };
}

/** The answer, or an error when it is not here after `ANSWER_MS`. */
async function inTime<T>(answer: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  // A busy process reads what has arrived before it gives an answer up.
  const timer = setTimeout(
    () => setImmediate(() => late.reject(new Error("no answer in time"))),
    ANSWER_MS,
  );
  try {
    return await Promise.race([answer, late.promise]);
  } finally {
    clearTimeout(timer);
    // Whichever came second has no reader any more.
    answer.catch(() => {});
    late.promise.catch(() => {});
  }
}
