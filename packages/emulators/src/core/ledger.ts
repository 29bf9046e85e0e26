/** How often one message was accepted for one address. `correlation` is the sender's own id, or "" without one. */
export interface LedgerEntry {
  readonly account: string;
  readonly to: string;
  readonly correlation: string;
  readonly count: number;
}

/**
 * Counts every acceptance, so that a test can prove that nothing was sent twice. Never forgets: beyond `capacity`
 * it takes no new keys and `complete` turns false, so that a proof cannot rest on half a ledger.
 */
export class Ledger {
  readonly #counts = new Map<string, number>();
  readonly #capacity: number;
  #total = 0;
  complete = true;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  accept(account: string, to: string, correlation: string): void {
    this.#total += 1;
    const key = `${account}\n${to}\n${correlation}`;
    const count = this.#counts.get(key);
    if (count === undefined && this.#counts.size >= this.#capacity) {
      this.complete = false;
      return;
    }
    this.#counts.set(key, (count ?? 0) + 1);
  }

  /** How many sends were accepted. */
  get total(): number {
    return this.#total;
  }

  /** Entries, narrowed by address and correlation when given. */
  entries(filter: { to?: string; correlation?: string } = {}): LedgerEntry[] {
    const found: LedgerEntry[] = [];
    for (const [key, count] of this.#counts) {
      const [account = "", to = "", correlation = ""] = key.split("\n");
      if (filter.to !== undefined && filter.to !== to) continue;
      if (filter.correlation !== undefined && filter.correlation !== correlation) continue;
      found.push({ account, to, correlation, count });
    }
    return found;
  }

  /** The messages that were accepted more than once. An empty list is the proof, as long as `complete` is true. */
  repeated(): LedgerEntry[] {
    return this.entries().filter((entry) => entry.count > 1);
  }

  clear(): void {
    this.#counts.clear();
    this.#total = 0;
    this.complete = true;
  }
}
