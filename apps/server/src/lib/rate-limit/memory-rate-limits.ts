import type { Clock } from "../clock.ts";
import type { RateLimits } from "./rate-limits.ts";

interface Ring {
  /** The times of the requests that passed, as a ring. `next` is the place of the oldest once the ring is full. */
  readonly stamps: Float64Array;
  next: number;
  newest: number;
  windowMs: number;
}

const SWEEP_EVERY = 10_000;

/** Counts in this process, for the only process of an embedded database. A restart forgets at most a minute. */
export function createMemoryRateLimits(clock: Clock): RateLimits {
  const rings = new Map<string, Ring>();
  let taken = 0;
  let told = clock.now().getTime();
  let passed = told;

  /**
   * Milliseconds that never go back. When the clock is set back, they go on from where they were. Otherwise stamps in
   * the future would shut keys out until that time comes.
   */
  function elapsed(): number {
    const before = told;
    told = clock.now().getTime();
    return (passed += Math.max(0, told - before));
  }

  function sweep(now: number): void {
    for (const [key, ring] of rings) if (ring.newest + ring.windowMs <= now) rings.delete(key);
  }

  /** Takes one stamp out; the others keep their order. */
  function forget(ring: Ring, stamp: number): void {
    const { stamps, next } = ring;
    const kept = [...stamps.subarray(next), ...stamps.subarray(0, next)];
    const at = kept.indexOf(stamp);
    if (at < 0) return;
    kept.splice(at, 1);
    stamps.set([Number.NEGATIVE_INFINITY, ...kept]);
    ring.next = 0;
  }

  return {
    // Promise.resolve rather than async: nothing here waits, so two calls cannot interleave.
    take(key, { limit, windowMs }) {
      let ring = rings.get(key);
      if (!ring || ring.stamps.length !== limit) {
        const stamps = new Float64Array(limit).fill(Number.NEGATIVE_INFINITY);
        rings.set(key, (ring = { stamps, next: 0, newest: Number.NEGATIVE_INFINITY, windowMs }));
      }
      const now = elapsed();
      if (++taken % SWEEP_EVERY === 0) sweep(now);
      const { stamps } = ring;
      const since = now - windowMs;
      const allowed = (stamps[ring.next] ?? 0) <= since;
      if (allowed) {
        stamps[ring.next] = now;
        ring.next = (ring.next + 1) % limit;
        ring.newest = now;
      }
      let counted = 0;
      let oldest = now;
      // Newest first: those that still count stand together.
      while (counted < limit) {
        const stamp = stamps[(ring.next - 1 - counted + limit * 2) % limit] ?? 0;
        if (stamp <= since) break;
        oldest = stamp;
        counted++;
      }
      return Promise.resolve({
        allowed,
        remaining: limit - counted,
        resetMs: oldest + windowMs - now,
        giveBack: () => {
          if (allowed) forget(ring, now);
        },
      });
    },
    fault: () => Promise.resolve(null),
    usesFallback: () => false,
    close: () => Promise.resolve(),
  };
}
