import type { RateLimits } from "./rate-limits.ts";

/** So often it is looked whether the first store is back. */
const LOOK_MS = 1_000;

/**
 * Counts in `first`; while that cannot, in `second`, so that calls go on and are still limited. Each store is exact by
 * itself: in the minute in which they change a key may pass once more as often as its rule allows. `told` hears of each
 * change once, with the fault of `first` or null.
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
        // Many meet it at once.
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
