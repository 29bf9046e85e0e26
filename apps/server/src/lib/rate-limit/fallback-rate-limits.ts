import type { RateLimits } from "./rate-limits.ts";

/** How often it looks whether the first store is back. */
const LOOK_MS = 1_000;

/**
 * Counts in `first`, and in `second` while `first` cannot, so that calls go on and are still limited. Each store is
 * exact by itself. In the minute of a change, a key may pass as often again as its rule allows. `told` is called once
 * for each change, with the fault of `first`, or null when it is back.
 */
export function createFallbackRateLimits(
  first: RateLimits,
  second: RateLimits,
  told: (fault: string | null) => void,
  lookMs = LOOK_MS,
): RateLimits {
  let away = false;
  let looking = false;
  let timer: NodeJS.Timeout | undefined;

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
        return await first.take(key, rule);
      } catch {
        // Many calls fail at once, but only the first one reports it.
        if (!away) {
          away = true;
          timer = setInterval(() => void look(), lookMs).unref();
          told((await first.fault().catch(String)) ?? "it was away for a moment");
        }
        return second.take(key, rule);
      }
    },
    fault: () => first.fault(),
    usesFallback: () => away,
    async close() {
      clearInterval(timer);
      await Promise.all([first.close(), second.close()]);
    },
  };
}
