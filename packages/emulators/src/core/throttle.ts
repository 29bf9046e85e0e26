import type { SimClock } from "./clock.ts";
import { BoundedMap } from "./ring.ts";

/**
 * Counts calls by key against a limit a second, by the emulator's clock: in any second, or in any `overMs`, which lets
 * some calls come together. Null: no limit.
 */
export class Throttle {
  readonly #clock: SimClock;
  readonly #overMs: number;
  readonly #stamps = new Map<string, number[]>();
  constructor(clock: SimClock, overMs = 1_000) {
    this.#clock = clock;
    this.#overMs = overMs;
  }

  /** False when as many calls have come as may; otherwise counts the call. */
  take(key: string, most: number | null): boolean {
    const free = this.isFree(key, most);
    if (free) this.count(key);
    return free;
  }
  isFree(key: string, most: number | null): boolean {
    if (most === null) return true;
    const now = this.#clock.now();
    const stamps = (this.#stamps.get(key) ?? []).filter(
      (at) => at > now - this.#overMs && at <= now,
    );
    this.#stamps.set(key, stamps);
    return stamps.length < (most * this.#overMs) / 1_000;
  }
  count(key: string): void {
    this.#stamps.get(key)?.push(this.#clock.now());
  }
}

/** Turns that a key earns one by one and saves up. */
export class Earnings {
  readonly #clock: SimClock;
  readonly #kept = new BoundedMap<string, { tokens: number; at: number }>(200_000);
  constructor(clock: SimClock) {
    this.#clock = clock;
  }

  /**
   * Takes a turn. One comes every `intervalMs`, and up to `most` can be saved. Gives the milliseconds to wait; 0:
   * taken.
   */
  take(key: string, intervalMs: number, most: number): number {
    const now = this.#clock.now();
    const { tokens: had, at } = this.#kept.get(key) ?? { tokens: most, at: now };
    const tokens = Math.min(most, had + Math.max(0, now - at) / intervalMs);
    if (tokens < 1) return (1 - tokens) * intervalMs;
    this.#kept.set(key, { tokens: tokens - 1, at: now });
    return 0;
  }
}
