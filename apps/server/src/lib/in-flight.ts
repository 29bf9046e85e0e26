/** Room for work, by its key. */
export interface RoomByKey {
  readonly left: ReadonlyMap<string, number>;
  readonly perKey: number;
}

/** Work that goes on between the rounds of a worker, with room for so much in all and so much of each key. */
export class InFlight {
  readonly running = new Set<Promise<void>>();
  readonly #most: number;
  readonly #perKey: number;
  readonly #taken = new Map<string, number>();
  #all = 0;

  constructor({ most, perKey }: { readonly most: number; readonly perKey: number }) {
    this.#most = most;
    this.#perKey = perKey;
  }

  /** How much more there is room for, of all keys together. */
  get room(): number {
    return Math.max(0, this.#most - this.#all);
  }

  /** How much room each key has: those in `left` so much, every other one `perKey`. */
  get places(): RoomByKey {
    const most = Math.min(this.#perKey, this.room);
    const left = [...this.#taken].map(
      ([key, taken]) => [key, Math.max(0, Math.min(this.#perKey - taken, most))] as const,
    );
    return { left: new Map(left), perKey: most };
  }

  /** Takes a place of a key; null: there is none. Call what it gives once, with the work or to give the place back. */
  take(key: string): ((work?: Promise<void>) => void) | null {
    const taken = this.#taken.get(key) ?? 0;
    if (this.room === 0 || taken >= this.#perKey) return null;
    this.#all++;
    this.#taken.set(key, taken + 1);
    return (work) => {
      if (!work) return this.#leave(key);
      const kept = work.finally(() => {
        this.running.delete(kept);
        this.#leave(key);
      });
      this.running.add(kept);
    };
  }

  #leave(key: string): void {
    this.#all--;
    const left = (this.#taken.get(key) ?? 1) - 1;
    if (left > 0) this.#taken.set(key, left);
    else this.#taken.delete(key);
  }
}
