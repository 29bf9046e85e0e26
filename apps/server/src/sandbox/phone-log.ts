import type { PhoneEntry, PhoneEvent } from "../lib/sandbox-slot.ts";

/** What is kept of one channel; older lines are in the inbox. */
const KEPT = 500;

/**
 * What the phones of a channel's customers show, the latest lines. A cursor is a time in microseconds, made to rise, so
 * that one from before a restart still means the same; the lines of that very moment may come once more.
 */
export class PhoneLog {
  #entries: PhoneEntry[] = [];
  readonly #listeners = new Set<(entry: PhoneEntry) => void>();
  #last = 0;

  add(customer: string, event: PhoneEvent, at: Date): void {
    this.#last = Math.max(this.#last + 1, at.getTime() * 1000);
    const entry = { ...event, cursor: this.#last, at: at.toISOString(), customer };
    this.#entries.push(entry);
    // Cut in strides: shifting one at a time is quadratic.
    if (this.#entries.length > KEPT * 2) this.#entries = this.#entries.slice(-KEPT);
    for (const listener of this.#listeners) listener(entry);
  }

  /** Oldest first: the latest `limit` without `after`, else the first `limit` after it. */
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

  listen(listener: (entry: PhoneEntry) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
