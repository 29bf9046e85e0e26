/**
 * Wrong credentials of one public half from one address in any minute that are answered with 401. After them the answer
 * is 429.
 */
const MOST_WRONG = 20;
const WINDOW_MS = 60_000;
/** Pairs of public half and address that are remembered: those that were wrong last. */
const MOST_PAIRS = 10_000;

/**
 * Counts recent wrong secrets, by public half and address. Each process counts for itself. Nothing is written to the
 * database, so that a flood of wrong secrets costs no write.
 */
export class WrongSecrets {
  /** The times of the last minute, by public half and address; the latest stands at the end. */
  readonly #pairs = new Map<string, readonly number[]>();

  /** How many pairs are remembered. */
  get size(): number {
    return this.#pairs.size;
  }

  /** Milliseconds until this address may try this public half again; 0: now. */
  waitMs(publicKey: string, address: string, now: number): number {
    const times = recent(this.#pairs.get(nameOf(publicKey, address)), now);
    return times.length < MOST_WRONG ? 0 : (times[0] ?? now) + WINDOW_MS - now;
  }

  /** Counts a wrong secret. */
  note(publicKey: string, address: string, now: number): void {
    const name = nameOf(publicKey, address);
    const times = [...recent(this.#pairs.get(name), now), now];
    this.#pairs.delete(name);
    this.#pairs.set(name, times);
    if (this.#pairs.size <= MOST_PAIRS) return;
    for (const oldest of this.#pairs.keys()) {
      this.#pairs.delete(oldest);
      break;
    }
  }
}

/** The times of the last minute. A time in the future was noted before the clock was set back; it does not count. */
const recent = (times: readonly number[] = [], now: number): readonly number[] =>
  times.filter((at) => now - WINDOW_MS < at && at <= now);

// No public half holds a space.
const nameOf = (publicKey: string, address: string): string => `${publicKey} ${address}`;
