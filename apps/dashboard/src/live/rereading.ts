import { ApiError } from "../api/api-error.ts";

/** Pauses after failures in a row, in ms. The last one stays: what is shown is at most this old once the server answers. */
const GAPS_MS = [1_000, 2_000, 5_000, 10_000] as const;
/** A read without an answer after this time has failed: a connection can be dead without notice. */
const READ_MS = 20_000;
/** The first read after a break may go out over a connection that the break left dead; giving it up closes that one. */
const FIRST_READ_MS = 5_000;

/** Reads once; throws when it could not. `signal` aborts with an `ApiError` when no answer arrives in time. */
export type Read = (signal: AbortSignal) => Promise<unknown>;

export interface RereadingOptions {
  /** Reads begin at most this often, in ms. */
  readonly gapMs?: number;
  /** Whether a failed read is repeated. Absent: it is. What is not shown waits for its next hint. */
  readonly isShown?: () => boolean;
}

/**
 * Keeps what a page shows current after hints. Every place of the dashboard that reads after a hint reads by one of
 * these, so that they all keep the same promises: a hint that arrives while a read is under way is followed by another
 * read, and a read that failed is repeated with growing pauses until one succeeds. A refusal (404, 403) is an answer and
 * is not repeated.
 */
export class Rereading {
  readonly #read: Read;
  readonly #gapMs: number;
  readonly #isShown: () => boolean;
  #wanted = false;
  #running: AbortController | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** No read begins before this time. */
  #notBefore = -Infinity;
  #failures = 0;
  #patienceMs = READ_MS;
  #stopped = false;
  #rest = Promise.withResolvers<void>();

  constructor(read: Read, { gapMs = 0, isShown = () => true }: RereadingOptions = {}) {
    this.#read = read;
    this.#gapMs = gapMs;
    this.#isShown = isShown;
  }

  /** Something may have changed. Resolves when a read that began after this ended, well or not, or was stopped. */
  hint(): Promise<void> {
    if (this.#stopped) return Promise.resolve();
    this.#wanted = true;
    const { promise } = this.#rest;
    this.#begin();
    return promise;
  }

  /**
   * The server is in reach again, and hints may have been lost: reads now. A read that waits for an answer is given up,
   * because its connection may be dead.
   */
  resume(): Promise<void> {
    this.#failures = 0;
    this.#patienceMs = FIRST_READ_MS;
    this.#notBefore = -Infinity;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#running?.abort();
    this.#running = undefined;
    return this.hint();
  }

  /** The read that is under way or waits for its next try; undefined: none. */
  get underWay(): Promise<void> | undefined {
    return this.#wanted || this.#running !== undefined ? this.#rest.promise : undefined;
  }

  stop(): void {
    this.#stopped = true;
    this.#wanted = false;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#running?.abort();
    this.#running = undefined;
    this.#rest.resolve();
  }

  #begin(): void {
    if (this.#running !== undefined || this.#timer !== undefined) return;
    const wait = this.#notBefore - Date.now();
    if (wait <= 0) void this.#run();
    else
      this.#timer = setTimeout(() => {
        this.#timer = undefined;
        void this.#run();
      }, wait);
  }

  async #run(): Promise<void> {
    const reading = new AbortController();
    const { signal } = reading;
    this.#running = reading;
    this.#wanted = false;
    const begun = Date.now();
    const late = setTimeout(
      () => reading.abort(new ApiError({ code: "NO_CONNECTION" })),
      this.#patienceMs,
    );
    this.#patienceMs = READ_MS;
    const failed = await Promise.race([this.#failsToRead(signal), endOf(signal)]);
    clearTimeout(late);
    if (this.#running !== reading) return;
    this.#running = undefined;
    this.#failures = failed ? this.#failures + 1 : 0;
    this.#notBefore = failed ? Date.now() + pauseAfter(this.#failures) : begun + this.#gapMs;
    const rest = this.#rest;
    if (failed && this.#isShown()) this.#wanted = true;
    // Whoever waits is answered by the first read that began after its hint, unless another hint arrived meanwhile.
    if (failed || !this.#wanted) {
      this.#rest = Promise.withResolvers();
      rest.resolve();
    }
    if (this.#wanted) this.#begin();
  }

  /** Whether the read failed in a way that may pass. */
  async #failsToRead(signal: AbortSignal): Promise<boolean> {
    try {
      await this.#read(signal);
      return false;
    } catch (error) {
      return signal.aborted || !(error instanceof ApiError) || error.passing;
    }
  }
}

const endOf = (signal: AbortSignal): Promise<true> =>
  new Promise((done) => signal.addEventListener("abort", () => done(true), { once: true }));

/** Not all browsers at once when the server is back. */
function pauseAfter(failures: number): number {
  const longest = GAPS_MS[Math.min(failures, GAPS_MS.length) - 1] ?? 0;
  return longest * (0.5 + Math.random() / 2);
}
