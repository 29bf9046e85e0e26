import { BoundedMap } from "../core/ring.ts";

export interface LimitOptions {
  /** Messages a second from one number; 130429 beyond. Null: no limit. Default 80. */
  readonly messagesPerSecond: number | null;
  /** Time in which a pair earns one message; 131056 beyond. Null: no limit. Default 6,000. */
  readonly pairIntervalMs: number | null;
  /** Messages a rested pair may send at once, borrowed from later. 1: strictly one per interval. Default 45. */
  readonly pairBurst: number;
}

/** Throughput of a number and rate of a pair, by the emulator's clock. */
export class SendLimits {
  readonly #options: LimitOptions;
  readonly #stamps = new Map<string, number[]>();
  readonly #pairs = new BoundedMap<string, { tokens: number; at: number }>(200_000);
  constructor(options: LimitOptions) {
    this.#options = options;
  }

  /** The code of the limit that this send meets, or null when it may pass and is counted. */
  take(number: string, user: string, now: number): 130429 | 131056 | null {
    const { messagesPerSecond, pairIntervalMs, pairBurst } = this.#options;
    let stamps: number[] | undefined;
    if (messagesPerSecond !== null) {
      stamps = (this.#stamps.get(number) ?? []).filter((at) => at > now - 1000 && at <= now);
      this.#stamps.set(number, stamps);
      if (stamps.length >= messagesPerSecond) return 130429;
    }
    if (pairIntervalMs !== null) {
      const key = `${number} ${user}`;
      const pair = this.#pairs.get(key) ?? { tokens: pairBurst, at: now };
      const earned = Math.max(0, now - pair.at) / pairIntervalMs;
      const tokens = Math.min(pairBurst, pair.tokens + earned);
      if (tokens < 1) return 131056;
      this.#pairs.set(key, { tokens: tokens - 1, at: now });
    }
    stamps?.push(now);
    return null;
  }
}
