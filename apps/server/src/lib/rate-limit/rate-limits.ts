/** How many requests may pass in which time, e.g. 120 in 60,000 ms. */
export interface RateRule {
  readonly limit: number;
  readonly windowMs: number;
}

export interface RateVerdict {
  readonly allowed: boolean;
  /** How many more would pass now. */
  readonly remaining: number;
  /**
   * Milliseconds until the oldest counted request stops counting. With none remaining, the next request passes then.
   */
  readonly resetMs: number;
  /** Soon takes the request out of the count again, because it was answered 503. Does nothing for a refused one. */
  giveBack(): void;
}

/**
 * Exact sliding limits. In any window of that length, at most `limit` requests of a key pass. Refused ones do not
 * count. A fixed window would let 240 pass around its edge, and so would a token bucket of the same size (measured).
 */
export interface RateLimits {
  /** Counts one request of this key, if the rule lets it pass. Throws when nothing can be counted. */
  take(key: string, rule: RateRule): Promise<RateVerdict>;
  /** Why nothing can be counted now: a sentence for the operator that names the setting. Null when all is well. */
  fault(): Promise<string | null>;
  /** True while the configured store is away and another one counts. */
  usesFallback(): boolean;
  close(): Promise<void>;
}
