import { LONGEST_TURN_MS } from "./pace.ts";

/** How long a campaign stands back for a reply that is about to be called. */
const YIELD_MS = 50;
const SILENT_MS = 2_000;

/**
 * Campaigns of this process that have taken all places ahead. If each were continued at once, it would find the
 * two or three places that came meanwhile (25 to 36 at 60,000 a minute, 45 batches a second where 16 are enough),
 * and pay each time what a batch costs whatever its size. So a campaign rests until there are places for a batch.
 * Also known here: which campaigns' providers accept calls at present.
 */
export class Rests {
  readonly #ends = new Map<string, number>();
  readonly #taken = new Map<string, number>();

  /** Until its next turn (`turnAt`). */
  begin(id: string, until: Date): void {
    this.#ends.set(id, until.getTime());
  }

  /** A reply goes first. */
  yield(id: string, now: Date): void {
    this.#ends.set(id, now.getTime() + YIELD_MS);
  }

  /** The provider accepted a call of the campaign. */
  taken(id: string, now: Date): void {
    for (const [other, at] of this.#taken)
      if (now.getTime() - at > SILENT_MS) this.#taken.delete(other);
    this.#taken.set(id, now.getTime());
  }

  /** False when it accepted none for two seconds: it may be down, and calls to it may end with an unknown outcome. */
  isTaking(id: string, now: Date): boolean {
    const since = now.getTime() - (this.#taken.get(id) ?? -Infinity);
    return since >= 0 && since <= SILENT_MS;
  }

  /** True while a campaign rests. A clock that was set back ends all rests. */
  has(id: string, now: Date): boolean {
    const left = (this.#ends.get(id) ?? 0) - now.getTime();
    if (left > 0 && left <= LONGEST_TURN_MS) return true;
    this.#ends.delete(id);
    return false;
  }

  /** Milliseconds until the first resting campaign may go on; null when none rests. */
  soonest(now: Date): number | null {
    const ends = [...this.#ends].filter(([id]) => this.has(id, now)).map(([, end]) => end);
    return ends.length === 0 ? null : Math.max(1, Math.min(...ends) - now.getTime());
  }
}
