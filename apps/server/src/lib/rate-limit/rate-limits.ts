/** How much of what is allowed, e.g. 120 in 60,000 ms. */
export interface RateRule {
  readonly limit: number;
  readonly windowMs: number;
}

export interface RateVerdict {
  readonly allowed: boolean;
  /** How many would pass now. */
  readonly remaining: number;
  /** Until the oldest request that counts stops counting: with none remaining, when the next one passes. */
  readonly resetMs: number;
  /** Takes the request out of the count again, soon: it was answered 503. Nothing happens when it was refused. */
  giveBack(): void;
}

/**
 * Exact sliding limits: in any window of that length at most `limit` requests of a key pass, and refused ones do not
 * count. A fixed window lets 240 pass around its edge, and so does a token bucket of the same size (measured).
 */
export interface RateLimits {
  take(key: string, rule: RateRule): Promise<RateVerdict>;
  /** Why nothing can be counted now, a sentence for the operator that names the setting; null: it can. */
  fault(): Promise<string | null>;
  /** True while the store that was asked for is away and another one counts. */
  usesFallback(): boolean;
  close(): Promise<void>;
}
