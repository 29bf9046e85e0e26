import type { SimClock } from "./clock.ts";

interface Item<T> {
  readonly due: number;
  readonly order: number;
  readonly attempt: number;
  readonly value: T;
}

export interface CallbackQueueOptions<T> {
  readonly clock: SimClock;
  /** timed: delivers when due; manual: only `flush` and `deliverDue` do. */
  readonly mode: "timed" | "manual";
  /** Values of one group that are due together share one call, up to this many. */
  readonly batchSize: number;
  readonly concurrency: number;
  /** Gaps before the second, third … attempt; after the last the callback is abandoned. */
  readonly retryDelaysMs: readonly number[];
  readonly capacity: number;
  readonly groupOf: (value: T) => string;
  /** True when the receiver acknowledged. Never throws. */
  readonly send: (values: readonly T[], attempt: number) => Promise<boolean>;
}

export interface CallbackStats {
  /** Not yet acknowledged: waiting for their time, or in a call in progress. */
  queued: number;
  delivered: number;
  refused: number;
  abandoned: number;
  dropped: number;
}

/** Callbacks that wait for their time: a heap by due time, delivered in calls of at most `batchSize`. */
export class CallbackQueue<T> {
  readonly #options: CallbackQueueOptions<T>;
  readonly #heap: Item<T>[] = [];
  readonly #inFlight = new Set<Promise<void>>();
  readonly #stats = { delivered: 0, refused: 0, abandoned: 0, dropped: 0 };
  #order = 0;
  #underWay = 0;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: CallbackQueueOptions<T>) {
    this.#options = options;
  }

  get stats(): CallbackStats {
    return { queued: this.#heap.length + this.#underWay, ...this.#stats };
  }

  push(due: number, value: T): void {
    this.#add({ due, order: this.#order++, attempt: 0, value });
    this.#arm();
  }

  /**
   * Makes one attempt for everything that waits, due or not, in due order, and for everything queued meanwhile. A
   * refused callback waits for the next flush (or its time). Gives how many were acknowledged.
   */
  async flush(concurrency = 1): Promise<number> {
    const before = this.#stats.delivered;
    const refused: Item<T>[] = [];
    // Bounded: a customer that answers every answer would never end.
    for (let round = 0; round < 100 && this.#heap.length > 0; round++) {
      const calls = this.#calls(this.#take(Infinity));
      const lanes = Array.from({ length: Math.max(1, concurrency) }, async () => {
        for (let call = calls.shift(); call; call = calls.shift()) {
          refused.push(...(await this.#attempt(call)));
        }
      });
      await Promise.all(lanes);
    }
    for (const item of refused) this.#add(item);
    await this.settled();
    this.#arm();
    return this.#stats.delivered - before;
  }

  /** Delivers what is due by the emulator's clock, once each. */
  async deliverDue(): Promise<number> {
    const before = this.#stats.delivered;
    for (const call of this.#calls(this.#take(this.#options.clock.now()))) {
      for (const item of await this.#attempt(call)) this.#add(item);
    }
    this.#arm();
    return this.#stats.delivered - before;
  }

  /** Resolves when no call is in progress. */
  async settled(): Promise<void> {
    while (this.#inFlight.size > 0) await Promise.all(this.#inFlight);
  }

  clear(): void {
    this.#heap.length = 0;
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#heap.length = 0;
    await this.settled();
  }

  #arm(): void {
    clearTimeout(this.#timer);
    if (this.#closed || this.#options.mode === "manual") return;
    const now = this.#options.clock.now();
    while (this.#inFlight.size < this.#options.concurrency) {
      const next = this.#heap[0];
      if (!next || next.due > now) break;
      const [call] = this.#calls(this.#take(now, this.#options.batchSize), true);
      if (!call) break;
      const work = this.#attempt(call).then((refused) => {
        this.#inFlight.delete(work);
        if (!this.#closed) for (const item of refused) this.#add(item);
        this.#arm();
      });
      this.#inFlight.add(work);
    }
    const next = this.#heap[0];
    if (next && this.#inFlight.size < this.#options.concurrency) {
      const wait = Math.min(Math.max(0, next.due - now), 60_000);
      this.#timer = setTimeout(() => this.#arm(), wait);
    }
  }

  async #attempt(call: readonly Item<T>[]): Promise<Item<T>[]> {
    const attempt = Math.max(...call.map((item) => item.attempt));
    this.#underWay += call.length;
    const acknowledged = await this.#options
      .send(
        call.map((item) => item.value),
        attempt + 1,
      )
      .finally(() => (this.#underWay -= call.length));
    if (acknowledged) {
      this.#stats.delivered += call.length;
      return [];
    }
    this.#stats.refused += call.length;
    const gap = this.#options.retryDelaysMs[attempt];
    if (gap === undefined) {
      this.#stats.abandoned += call.length;
      return [];
    }
    const due = this.#options.clock.now() + gap;
    return call.map((item) => ({ ...item, due, attempt: attempt + 1 }));
  }

  /** Cuts the items into calls of neighbours of one group. With `onlyFirst` the rest goes back to the heap. */
  #calls(items: readonly Item<T>[], onlyFirst = false): Item<T>[][] {
    const calls: Item<T>[][] = [];
    let group: string | undefined;
    for (const item of items) {
      const last = calls.at(-1);
      const own = this.#options.groupOf(item.value);
      if (last && own === group && last.length < this.#options.batchSize) last.push(item);
      else calls.push([item]);
      group = own;
    }
    if (onlyFirst) for (const item of calls.splice(1).flat()) this.#add(item);
    return calls;
  }

  #take(until: number, most = Infinity): Item<T>[] {
    const taken: Item<T>[] = [];
    for (
      let top = this.#heap[0];
      top && top.due <= until && taken.length < most;
      top = this.#heap[0]
    ) {
      taken.push(top);
      const last = this.#heap.pop();
      if (last && this.#heap.length > 0) {
        this.#heap[0] = last;
        this.#sink();
      }
    }
    return taken;
  }

  #add(item: Item<T>): void {
    if (this.#closed || this.#heap.length >= this.#options.capacity) {
      this.#stats.dropped += 1;
      return;
    }
    let at = this.#heap.push(item) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.#swapIfBefore(at, parent)) break;
      at = parent;
    }
  }

  #sink(): void {
    for (let at = 0; ;) {
      const left = at * 2 + 1;
      const right = left + 1;
      const least = this.#before(right, left) ? right : left;
      if (!this.#swapIfBefore(least, at)) return;
      at = least;
    }
  }

  #before(a: number, b: number): boolean {
    const one = this.#heap[a];
    const other = this.#heap[b];
    if (!one || !other) return false;
    return one.due < other.due || (one.due === other.due && one.order < other.order);
  }

  #swapIfBefore(a: number, b: number): boolean {
    if (!this.#before(a, b)) return false;
    const one = this.#heap[a];
    const other = this.#heap[b];
    if (!one || !other) return false;
    this.#heap[a] = other;
    this.#heap[b] = one;
    return true;
  }
}
