import type { SimClock } from "../core/clock.ts";
import { Earnings, Throttle } from "../core/throttle.ts";

export interface LimitOptions {
  /** Messages a second from one number; more get 130429. Null: no limit. Default 80. */
  readonly messagesPerSecond: number | null;
  /** Over how long these are counted, in ms: Meta does not say. Default 1,000. */
  readonly countedOverMs: number;
  /** How often one recipient's turn comes, in ms; more get 131056. Null: no limit. Default 6,000. */
  readonly pairIntervalMs: number | null;
  /**
   * How many messages a rested recipient may get at once, borrowed from later turns. 1: strictly one per interval.
   * Default 45.
   */
  readonly pairBurst: number;
}

/** Throughput of a number and rate for each recipient, by the emulator's clock. */
export class SendLimits {
  readonly #options: LimitOptions;
  readonly #numbers: Throttle;
  readonly #pairs: Earnings;
  constructor(clock: SimClock, options: LimitOptions) {
    this.#options = options;
    this.#numbers = new Throttle(clock, options.countedOverMs);
    this.#pairs = new Earnings(clock);
  }

  /** The code of the limit that this send reaches, or null when it is allowed and counted. */
  take(number: string, user: string): 130429 | 131056 | null {
    const { messagesPerSecond, pairIntervalMs, pairBurst } = this.#options;
    if (!this.#numbers.isFree(number, messagesPerSecond)) return 130429;
    const waits =
      pairIntervalMs !== null &&
      this.#pairs.take(`${number} ${user}`, pairIntervalMs, pairBurst) > 0;
    if (waits) return 131056;
    this.#numbers.count(number);
    return null;
  }
}
