import { CallbackQueue, type CallbackStats } from "./callback-queue.ts";
import type { SimClock } from "./clock.ts";
import { createOutgoing } from "./outgoing.ts";
import { Ring } from "./ring.ts";

/** One webhook as it was sent. */
export interface SeenCallback {
  readonly at: number;
  readonly url: string;
  readonly attempt: number;
  /** The exact bytes. */
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Null: no answer. */
  readonly status: number | null;
}

/** The bytes and the headers of one call. */
export interface SignedCall {
  readonly body: Buffer;
  readonly headers: Record<string, string>;
}

export interface CallbackLineOptions<T, Signing extends string> {
  readonly clock: SimClock;
  readonly mode: "timed" | "manual";
  readonly batchSize: number;
  readonly concurrency: number;
  readonly timeoutMs: number;
  readonly retryDelaysMs: readonly number[];
  readonly journalSize: number;
  /** Neighbours of one group share a call. */
  readonly groupOf: (value: T) => string;
  /** The address it goes to; undefined: nobody wants it. */
  readonly urlOf: (value: T) => string | undefined;
  /** Writes and signs one call. */
  readonly sign: (
    values: readonly [T, ...T[]],
    signing: Signing | "valid",
    now: number,
  ) => SignedCall;
}

/** A platform's calls to its customers' addresses: queued, batched, signed, repeated, and kept in a journal. */
export class CallbackLine<T, Signing extends string> {
  readonly #options: CallbackLineOptions<T, Signing>;
  readonly #queue: CallbackQueue<T>;
  readonly #outgoing;
  readonly #seen: Ring<SeenCallback>;
  #signing: { mode: Signing | "valid"; left: number } = { mode: "valid", left: 0 };

  constructor(options: CallbackLineOptions<T, Signing>) {
    this.#options = options;
    this.#seen = new Ring(options.journalSize);
    this.#outgoing = createOutgoing(options.timeoutMs);
    this.#queue = new CallbackQueue<T>({
      clock: options.clock,
      mode: options.mode,
      batchSize: options.batchSize,
      concurrency: options.concurrency,
      retryDelaysMs: options.retryDelaysMs,
      capacity: 1_000_000,
      groupOf: options.groupOf,
      send: (values, attempt) => this.#deliver(values, attempt),
    });
  }

  push(value: T, due: number): void {
    if (this.#options.urlOf(value) !== undefined) this.#queue.push(due, value);
  }
  /** Signs the next `calls` in this way. */
  sign(mode: Signing, calls: number): void {
    this.#signing = { mode, left: calls };
  }
  /** Posts a call unchanged; not queued, not in the journal. Gives the HTTP status. */
  async post(url: string, { body, headers }: SignedCall): Promise<number | null> {
    return (await this.#outgoing.call("POST", url, headers, body)).status;
  }
  /** The GET handshake: true when exactly the challenge came back. */
  async handshake(
    url: string,
    query: Readonly<Record<string, string>>,
    challenge: string,
  ): Promise<boolean> {
    const address = new URL(url);
    for (const [key, value] of Object.entries(query)) address.searchParams.set(key, value);
    const answer = await this.#outgoing.call("GET", address.href, {});
    return answer.status === 200 && answer.body === challenge;
  }

  flush(concurrency?: number): Promise<number> {
    return this.#queue.flush(concurrency);
  }
  deliverDue(): Promise<number> {
    return this.#queue.deliverDue();
  }
  get stats(): CallbackStats {
    return this.#queue.stats;
  }
  seen(): readonly SeenCallback[] {
    return this.#seen.all();
  }
  clear(): void {
    this.#queue.clear();
    this.#seen.clear();
  }
  async close(): Promise<void> {
    await this.#queue.close();
    this.#outgoing.close();
  }

  async #deliver([first, ...others]: readonly T[], attempt: number): Promise<boolean> {
    const url = first === undefined ? undefined : this.#options.urlOf(first);
    if (first === undefined || url === undefined) return true;
    const mode = this.#signing.left-- > 0 ? this.#signing.mode : "valid";
    const now = this.#options.clock.now();
    const { body, headers } = this.#options.sign([first, ...others], mode, now);
    const { status } = await this.#outgoing.call("POST", url, headers, body);
    const at = this.#options.clock.now();
    this.#seen.push({ at, url, attempt, body: body.toString("utf8"), headers, status });
    return status !== null && status >= 200 && status < 300;
  }
}

/** The query of Meta's GET handshake. */
export function hubQuery(challenge: string, verifyToken: string): Record<string, string> {
  return {
    "hub.mode": "subscribe",
    "hub.challenge": challenge,
    "hub.verify_token": verifyToken,
  };
}
