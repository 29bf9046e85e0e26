import { failed, mayRepeat, wasUnsent, read, type Facts, type Outcome } from "./answer.ts";
import type { CallOptions, Request } from "./call.ts";
import type { ParleyError } from "./errors.ts";
import { newKey } from "./key.ts";
import { RateGate } from "./rate-limit.ts";
import type { Surroundings } from "./surroundings.ts";

/** What came of one try. */
export interface Attempt {
  /** The operation's name in the document. */
  readonly operation: string;
  readonly method: string;
  readonly url: string;
  /** 1 is the first. */
  readonly attempt: number;
  /** Null when no answer came. */
  readonly status: number | null;
  readonly requestId: string | null;
  /** The stored answer of an earlier call under the same key. */
  readonly replayed: boolean;
  readonly durationMs: number;
}

export interface TransportOptions {
  readonly baseUrl: string;
  /** Null of a call whose path is its proof. */
  readonly apiKey: string | null;
  readonly timeoutMs: number;
  readonly giveUpAfterMs: number | undefined;
  readonly maxRetries: number | undefined;
  readonly maxWaitMs: number;
  readonly waitForRateLimit: boolean;
  readonly headers: Readonly<Record<string, string>>;
  readonly fetch: typeof globalThis.fetch;
  readonly onAttempt: ((attempt: Attempt) => void) | undefined;
}

/** A minute, which the rate limit may ask for, and a try of half a minute. A server that is started again is back by then. */
const GIVE_UP_AFTER_MS = 90_000;
const FIRST_GAP_MS = 500;
const LONGEST_GAP_MS = 8_000;

/** Sends requests: credential, idempotency key, time-out, retries. One per client. */
export class Transport {
  readonly rate: RateGate;
  readonly #options: TransportOptions;
  readonly #around: Surroundings;
  #saidAbsent = false;

  constructor(options: TransportOptions, around: Surroundings) {
    this.#options = options;
    this.#around = around;
    this.rate = new RateGate(around);
  }

  get timeoutMs(): number {
    return this.#options.timeoutMs;
  }

  /** Throws a ParleyError, or the reason of `options.signal`. */
  async call(request: Request, options: CallOptions): Promise<unknown> {
    const key = request.keyed ? (options.idempotencyKey ?? (await newKey())) : null;
    // No header can carry it: fetch would refuse each try as if the connection had failed.
    if (key !== null && !/^[ -~\xa0-\xff]{1,255}$/.test(key))
      throw new TypeError("idempotencyKey must be 1 to 255 characters that a header can carry");
    // Once: each try has the same bytes, even if the caller changes its object meanwhile.
    const body = isRaw(request) ? request.body : request.body && JSON.stringify(request.body);
    const headers = {
      accept: "application/json",
      ...(request.ifMatch !== undefined && { "if-match": request.ifMatch }),
    };
    const until = await this.begin(options);
    for (let attempt = 1; ; attempt++) {
      const outcome = await this.#try({ request, headers, options, attempt, key, body });
      if (outcome.ok) return outcome.value;
      if (!(await this.again(request, outcome.error, attempt, until, options))) throw outcome.error;
    }
  }

  /** Waits for the first try's turn. Gives the time after which there is no other try: who says how often means no time. */
  async begin(options: CallOptions): Promise<number> {
    options.signal?.throwIfAborted();
    await this.rate.enter(this.#options.waitForRateLimit, options.signal);
    const counted = (options.maxRetries ?? this.#options.maxRetries) !== undefined;
    const most = this.#options.giveUpAfterMs ?? (counted ? Infinity : GIVE_UP_AFTER_MS);
    return this.#around.now() + most;
  }

  /** Half of it is chance, so that clients that failed together do not come back together. */
  #gap(attempt: number, asked: number | null): number {
    const most = Math.min(LONGEST_GAP_MS, FIRST_GAP_MS * 2 ** (attempt - 1));
    const jitter = this.#around.random();
    return asked === null ? most * (0.5 + jitter / 2) : asked + jitter * 250;
  }

  /** True when another try is worth it, and begins before `until`; then it has waited for it. */
  async again(
    request: Request,
    error: ParleyError,
    attempt: number,
    until: number,
    options: CallOptions,
  ): Promise<boolean> {
    const retries = options.maxRetries ?? this.#options.maxRetries ?? Infinity;
    if (attempt > retries || !mayRepeat(request, error)) return false;
    // What is asked for is compared, not what chance adds to it: a whole minute is within a maximum of one.
    if ((error.retryAfterMs ?? 0) > this.#options.maxWaitMs) return false;
    const wait = this.#gap(attempt, error.retryAfterMs);
    const left = until - this.#around.now();
    if ((error.retryAfterMs ?? wait) > left) return false;
    if (error.status === null && wasUnsent(error.cause)) this.#sayAbsent(left);
    await this.#around.sleep(wait, options.signal);
    // Those that were refused together take turns: all at once they would be refused again.
    const { waitForRateLimit } = this.#options;
    const turns = waitForRateLimit || error.status === 429;
    return this.rate.enter(turns, options.signal, waitForRateLimit ? Infinity : until);
  }

  /** Says once that there is no server: with a wrong address a program would seem to hang. */
  #sayAbsent(left: number): void {
    if (this.#saidAbsent) return;
    this.#saidAbsent = true;
    const time = left === Infinity ? "" : ` for up to ${Math.round(left / 1_000)} s`;
    console.warn(`parley: no server at ${this.#options.baseUrl}; asking again${time}`);
  }

  /** Opens a stream, or a file that is read as it arrives: the answer's body, or a ParleyError. `signal` ends it. */
  async open(
    request: Request,
    options: CallOptions,
    signal: AbortSignal,
    attempt: number,
    headers: Readonly<Record<string, string>>,
  ): Promise<ReadableStream<Uint8Array>> {
    const sent = await this.#send({ request, headers, options, attempt, key: null, signal });
    if (sent.failure) throw sent.failure;
    const { response, text, facts } = sent;
    if (response.status === 200 && response.body) return response.body;
    const outcome = read(response, text, facts);
    throw outcome.ok ? new TypeError("no stream") : outcome.error;
  }

  async #try(sending: Sending): Promise<Outcome> {
    const sent = await this.#send(sending);
    if (sent.failure) return { ok: false, error: sent.failure };
    if (sent.bytes) return { ok: true, value: sent.bytes };
    const outcome = read(sent.response, sent.text, sent.facts);
    if (!outcome.ok || !sending.request.withEtag) return outcome;
    return { ok: true, value: [outcome.value, sent.response.headers.get("etag") ?? ""] };
  }

  async #send(sending: Sending): Promise<Sent> {
    const { request, options, key, attempt, body } = sending;
    const url = this.#options.baseUrl + request.path + queryText(request.query);
    const timeoutMs = options.timeoutMs ?? this.#options.timeoutMs;
    const begun = this.#around.now();
    const stop = new AbortController();
    const outer = sending.signal ?? options.signal;
    const abort = () => stop.abort(outer?.reason);
    outer?.addEventListener("abort", abort, { once: true });
    // It may have ended before it was listened to.
    if (outer?.aborted) abort();
    let late = false;
    const expire = () => {
      late = true;
      stop.abort();
    };
    // A longer one would be none: timers count in 31 bits.
    const timer = setTimeout(expire, Math.min(timeoutMs, 2 ** 31 - 1));
    let response: Response | null = null;
    let text = "";
    let bytes: Uint8Array | null = null;
    let cause: unknown;
    try {
      const { fetch } = this.#options;
      response = await fetch(url, {
        method: request.method,
        headers: {
          ...this.#options.headers,
          ...sending.headers,
          ...(this.#options.apiKey !== null && {
            authorization: `Bearer ${this.#options.apiKey}`,
          }),
          ...(body !== undefined && { "content-type": request.bodyType ?? "application/json" }),
          ...(key !== null && { "idempotency-key": key }),
        },
        // The types of `fetch` know no bytes that other threads may share; it copies them.
        ...(body !== undefined && { body: body as string | Uint8Array<ArrayBuffer> | Blob }),
        // Followed, it would carry the credential to another address. Workers know no "error".
        redirect: "manual",
        signal: stop.signal,
      });
      // Inside the time-out: an answer that stops half way is no answer. A stream has no end to wait for.
      if (sending.signal === undefined || response.status !== 200)
        if (request.binary && response.ok) bytes = new Uint8Array(await response.arrayBuffer());
        else text = await response.text();
    } catch (error) {
      cause = error ?? "unknown";
    } finally {
      clearTimeout(timer);
      // A stream is ended by its signal.
      if (!sending.signal) outer?.removeEventListener("abort", abort);
      this.rate.leave(response?.headers ?? null);
    }
    this.#options.onAttempt?.({
      operation: request.id,
      method: request.method,
      url,
      attempt,
      status: response?.status ?? null,
      requestId: response?.headers.get("x-request-id") ?? null,
      replayed: response?.headers.get("idempotency-replayed") === "true",
      durationMs: this.#around.now() - begun,
    });
    const ignored = response?.headers.get("parley-ignored");
    if (ignored) console.warn(`parley: ${request.id} ignored these members: ${ignored}`);
    const held = response?.headers.get("parley-held");
    if (held) console.warn(`parley: ${request.id} did not change these members: ${held}`);
    const facts = { attempts: attempt, idempotencyKey: key };
    if (response && cause === undefined) return { response, text, bytes, facts };
    options.signal?.throwIfAborted();
    const code = late ? "TIMED_OUT" : "CONNECTION_FAILED";
    const hint = late ? `no whole answer within ${timeoutMs} ms` : `no answer from ${url}`;
    return { failure: failed(code, { ...facts, cause, hint }) };
  }
}

/** True of a body that is sent as it is. */
const isRaw = (
  request: Request,
): request is Request & { readonly body: string | Uint8Array | Blob } =>
  request.bodyType !== undefined;

interface Sending {
  readonly request: Request;
  readonly headers: Readonly<Record<string, string>>;
  readonly options: CallOptions;
  readonly attempt: number;
  readonly key: string | null;
  readonly body?: string | Uint8Array | Blob | undefined;
  /** Of a stream. */
  readonly signal?: AbortSignal;
}
type Sent =
  | {
      readonly failure?: never;
      readonly response: Response;
      readonly text: string;
      /** Of an answer that is a file of any kind. */
      readonly bytes: Uint8Array | null;
      readonly facts: Facts;
    }
  | { readonly failure: ParleyError };

function queryText(query: object | undefined): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {}))
    if (value !== undefined && value !== null) search.set(name, String(value));
  const text = search.toString();
  return text && `?${text}`;
}
