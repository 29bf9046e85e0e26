import type { PhoneEntry, PhoneEvent } from "../lib/sandbox-slot.ts";

/** How many lines of one channel are kept; older ones are in the inbox. */
const KEPT = 500;

/**
 * The latest lines on the phones of a channel's customers. A cursor is a time in microseconds that always rises, so a
 * cursor from before a restart keeps its meaning. Lines of exactly that moment may come twice.
 */
export class PhoneLog {
  #entries: PhoneEntry[] = [];
  readonly #listeners = new Set<(entry: PhoneEntry) => void>();
  #last = 0;

  /** Adds an event to a customer's phone, and passes it to all listeners. */
  add(customer: string, event: PhoneEvent, at: Date): void {
    this.#last = Math.max(this.#last + 1, at.getTime() * 1000);
    const entry = { ...event, cursor: this.#last, at: at.toISOString(), customer };
    this.#entries.push(entry);
    // Cut in large steps: shifting one line at a time is quadratic.
    if (this.#entries.length > KEPT * 2) this.#entries = this.#entries.slice(-KEPT);
    for (const listener of this.#listeners) listener(entry);
  }

  /** Entries, oldest first: the latest `limit`, or with `after` the first `limit` behind it. */
  read(query: {
    readonly after?: number | undefined;
    readonly customer?: string | undefined;
    readonly limit: number;
  }): PhoneEntry[] {
    const { after, customer, limit } = query;
    const fitting = this.#entries.filter(
      (entry) =>
        (customer === undefined || entry.customer === customer) &&
        (after === undefined || entry.cursor > after),
    );
    return after === undefined ? fitting.slice(-limit) : fitting.slice(0, limit);
  }

  /** Calls `listener` with every new entry. The returned function ends it. */
  listen(listener: (entry: PhoneEntry) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
