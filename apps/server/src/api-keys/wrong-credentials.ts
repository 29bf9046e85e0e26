const WINDOW_MS = 60_000;
/** Names that are remembered: those that were wrong last. */
const MOST_NAMES = 10_000;

/**
 * Counts recent wrong credentials under a name. In any minute `most` of them are answered with 401, later ones with 429.
 * Each process counts for itself. Nothing is written to the database, so that a flood of them costs no write.
 */
export class WrongCredentials {
  /** The times of the last minute, by name; the latest stands at the end. */
  readonly #names = new Map<string, readonly number[]>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  /** How many names are remembered. */
  get size(): number {
    return this.#names.size;
  }

  /** Milliseconds until another try under this name; 0: now. */
  waitMs(name: string, now: number): number {
    const times = recent(this.#names.get(name), now);
    return times.length < this.#most ? 0 : (times[0] ?? now) + WINDOW_MS - now;
  }

  /** Counts a wrong credential. */
  note(name: string, now: number): void {
    const times = [...recent(this.#names.get(name), now), now];
    this.#names.delete(name);
    this.#names.set(name, times);
    if (this.#names.size <= MOST_NAMES) return;
    for (const oldest of this.#names.keys()) {
      this.#names.delete(oldest);
      break;
    }
  }
}

/** The times of the last minute. A time in the future was noted before the clock was set back; it does not count. */
const recent = (times: readonly number[] = [], now: number): readonly number[] =>
  times.filter((at) => now - WINDOW_MS < at && at <= now);
