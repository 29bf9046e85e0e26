import { LONGEST_TURN_MS } from "./pace.ts";

/** So long a campaign stands back for a reply that is about to be called. */
const YIELD_MS = 50;
const SILENT_MS = 2_000;

/**
 * Campaigns of this process that have taken all places ahead. Taken up at once, each would find the two or three that came
 * meanwhile (25 to 36 at 60,000 a minute, 45 batches a second where 16 do), and what a batch costs whatever its size is paid
 * each time: a campaign rests until a batch's worth has come. Also known here: which campaigns' providers take calls at present.
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

  /** The provider took a call of the campaign. */
  taken(id: string, now: Date): void {
    for (const [other, at] of this.#taken)
      if (now.getTime() - at > SILENT_MS) this.#taken.delete(other);
    this.#taken.set(id, now.getTime());
  }

  /** False when it took none for two seconds: it may be down, and what it is handed may end as of unknown outcome. */
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

  /** Milliseconds until the first of those that rest may be taken up; null when none does. */
  soonest(now: Date): number | null {
    const ends = [...this.#ends].filter(([id]) => this.has(id, now)).map(([, end]) => end);
    return ends.length === 0 ? null : Math.max(1, Math.min(...ends) - now.getTime());
  }
}
