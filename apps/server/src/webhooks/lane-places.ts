import type { LaneCapacity, LaneHead } from "./delivery-store.ts";
import type { Lane } from "./lane.ts";

/**
 * The most lanes at once: of endpoints that answer, of failing endpoints, and of all (with those that wait long for an
 * answer).
 */
const WELL = 512;
const FAILING = 256;
const ALL = 2_048;

/**
 * How many deliveries a lane claims. After an endpoint took its whole batch in one lease, it gets twice as many the
 * next time.
 */
const BATCH = 64;
const LARGEST_BATCH = 512;
const REMEMBERED = 10_000;
const MOST_FAST = 500;

/**
 * Decides which endpoints may have a lane, and remembers how they did before. Failing endpoints have places of their
 * own. A lane that waits long for its receiver no longer takes a place. So neither keeps a healthy endpoint waiting.
 */
export class LanePlaces {
  readonly #lanes = new Set<Lane>();
  /** By endpoint, remembered from lane to lane: how many requests it took at once, and the size of its batch. */
  readonly #windows = new Map<string, number>();
  readonly #batches = new Map<string, number>();

  get running(): number {
    return this.#lanes.size;
  }

  /** How many endpoints may be claimed at `now` (in `performance.now()`). */
  wanted(now: number): LaneCapacity {
    let well = 0;
    let failing = 0;
    for (const lane of this.#lanes) {
      if (lane.head.failing) failing++;
      else if (!lane.stuck(now)) well++;
    }
    const room = Math.max(0, ALL - this.#lanes.size);
    return {
      well: Math.max(0, Math.min(WELL - well, room)),
      failing: Math.max(0, Math.min(FAILING - failing, room)),
      batch: BATCH,
      fast: this.#batches,
    };
  }

  /** How many requests the endpoint's next lane may begin with. */
  windowOf(endpointId: string): number {
    return this.#windows.get(endpointId) ?? 1;
  }

  /** Counts a lane that has started. */
  enter(lane: Lane): void {
    this.#lanes.add(lane);
  }

  /** Frees the place of a lane that has ended, and remembers how its endpoint did. */
  leave(lane: Lane): void {
    this.#lanes.delete(lane);
    const { endpointId, failing } = lane.head;
    const well = !lane.broken && !failing;
    if (!well || this.#windows.size >= REMEMBERED) this.#windows.delete(endpointId);
    else this.#windows.set(endpointId, lane.window);
    const batch = this.#batches.get(endpointId) ?? BATCH;
    // They travel with every claim, so they are meant for a few endpoints.
    if (this.#batches.size > MOST_FAST) this.#batches.clear();
    if (!well || !lane.drained || lane.taken < batch) this.#batches.delete(endpointId);
    else this.#batches.set(endpointId, Math.min(batch * 2, LARGEST_BATCH));
  }

  /** The endpoints of all lanes. */
  get heads(): readonly LaneHead[] {
    return Array.from(this.#lanes, (lane) => lane.head);
  }

  /** No lane, or none of these endpoints, begins another request. */
  halt(endpointIds?: ReadonlySet<string>): void {
    for (const lane of this.#lanes) if (endpointIds?.has(lane.head.endpointId) ?? true) lane.halt();
  }
}
