import type { Surroundings } from "./surroundings.ts";

/** What the server last said of this key: `limit` requests in any 60 seconds. */
export interface RateLimit {
  readonly limit: number;
  /** How many would pass now, those in the air counted. */
  readonly remaining: number;
  /** When the oldest counted request stops counting. */
  readonly resetAt: Date;
}

/** Keeps what the RateLimit headers say, and lets callers wait for their turn. */
export class RateGate {
  readonly #around: Surroundings;
  #limit: number | null = null;
  #remaining = 0;
  #resetAt = 0;
  #inAir = 0;
  constructor(around: Surroundings) {
    this.#around = around;
  }

  get current(): RateLimit | null {
    if (this.#limit === null) return null;
    return {
      limit: this.#limit,
      remaining: Math.max(0, this.#remaining),
      resetAt: new Date(this.#resetAt),
    };
  }

  /** Waits until a request would pass, as far as is known; then counts it. False when that would be after `until`. */
  async enter(wait: boolean, signal: AbortSignal | undefined, until = Infinity): Promise<boolean> {
    while (wait && this.#limit !== null && this.#remaining <= 0) {
      const ms = this.#resetAt - this.#around.now();
      if (ms > 0 && this.#resetAt > until) return false;
      if (ms > 0) await this.#around.sleep(ms, signal);
      else {
        // One goes and finds out; the others look again when it has, or in a second.
        this.#resetAt = this.#around.now() + 1_000;
        break;
      }
    }
    this.#remaining--;
    this.#inAir++;
    return true;
  }

  leave(headers: Headers | null): void {
    this.#inAir--;
    const [limit, remaining, reset] = ["limit", "remaining", "reset"].map((name) =>
      readCount(headers?.get(`ratelimit-${name}`)),
    );
    if (limit === null || limit === undefined || remaining === null || remaining === undefined)
      return;
    this.#limit = limit;
    this.#remaining = remaining - this.#inAir;
    this.#resetAt = this.#around.now() + (reset ?? 0) * 1_000;
  }
}

function readCount(text: string | null | undefined): number | null {
  return text && /^\d{1,9}$/.test(text) ? Number(text) : null;
}
