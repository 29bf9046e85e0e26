import { Readable } from "node:stream";
import type { Dispatcher } from "undici";
import { AddressRefused } from "./address-guard.ts";
import { HttpFailure, type HttpRequest } from "./http.ts";
import type { OriginPools } from "./origin-pools.ts";
import { NameUnresolved } from "./resolve-name.ts";

const TOTAL_MS = 20_000;
/** "103 Early Hints" and the like before the answer. A server that sends more is read until the time is over. */
const MOST_EARLY = 16;

/** What a caller hears of a call, in this order; after `ended` or `failed` nothing more. */
export interface CallListener {
  started(status: number, headers: Record<string, string>): void;
  data(chunk: Buffer): void;
  ended(): void;
  failed(failure: HttpFailure): void;
}

export interface Call {
  /** Stops and goes on reading the answer, so that what is not taken is not held in memory. */
  pause(): void;
  resume(): void;
  /** Nothing more is wanted: the connection ends, the listener hears nothing more. */
  close(): void;
}

/** Makes one request. `sent` of a failure is exact: undici calls `onRequestStart` just before it writes. */
export function call(
  pools: OriginPools,
  url: URL,
  request: HttpRequest,
  listener: CallListener,
): Call {
  let sent = false;
  let done = false;
  let early = 0;
  let controller: Dispatcher.DispatchController | undefined;

  const timer = setTimeout(
    () => giveUp(new HttpFailure("timeout", sent, "no answer in time")),
    request.timeoutMs ?? TOTAL_MS,
  );
  const onAbort = () => giveUp(new HttpFailure("aborted", sent, "aborted"));
  if (request.signal?.aborted) queueMicrotask(onAbort);
  else request.signal?.addEventListener("abort", onAbort, { once: true });

  function end(): boolean {
    if (done) return false;
    done = true;
    clearTimeout(timer);
    request.signal?.removeEventListener("abort", onAbort);
    return true;
  }
  function fail(failure: HttpFailure): void {
    if (end()) listener.failed(failure);
  }
  function giveUp(failure: HttpFailure): void {
    fail(failure);
    controller?.abort(failure);
  }

  try {
    pools.dispatch(
      url.origin,
      {
        path: url.pathname + url.search,
        method: request.method,
        headers: { ...request.headers },
        body: bodyOf(request),
      },
      {
        onRequestStart(given) {
          controller = given;
          // Too late already, or undici wants to send it a second time: neither may put a byte on the wire.
          if (done || sent) given.abort(new Error("not wanted any more"));
          else sent = true;
        },
        onResponseStart(_given, code, fields) {
          if (code >= 200 && !done) listener.started(code, flatten(fields));
          else if (++early > MOST_EARLY) giveUp(new HttpFailure("reset", sent, "no answer"));
        },
        onResponseData(_given, chunk) {
          if (!done) listener.data(chunk);
        },
        onResponseEnd() {
          if (end()) listener.ended();
        },
        onResponseError: (_given, error) => fail(failureOf(error, sent)),
      },
    );
  } catch (error) {
    fail(failureOf(error, sent));
  }
  return {
    pause: () => controller?.pause(),
    resume: () => controller?.resume(),
    close() {
      if (end()) controller?.abort(new Error("not wanted any more"));
    },
  };
}

function bodyOf({ body }: HttpRequest): string | Uint8Array | Readable | null {
  if (body === undefined) return null;
  if (typeof body === "string" || body instanceof Uint8Array) return body;
  return Readable.from(body, { objectMode: false });
}

function flatten(fields: Record<string, string | string[] | undefined>): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined) flat[name] = Array.isArray(value) ? value.join(", ") : value;
  }
  return flat;
}

/** Names a failure without its text: an error of the platform may carry the address and with it a token. */
export function failureOf(error: unknown, sent: boolean): HttpFailure {
  if (error instanceof HttpFailure) return error;
  if (error instanceof NameUnresolved) return new HttpFailure("dns", sent, error.message);
  if (error instanceof AddressRefused) return new HttpFailure("blocked", sent, error.message);
  const code =
    error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
  const kind = isOurs(error, code) ? "client" : sent ? "reset" : "connect";
  const name = kind === "client" && error instanceof Error ? error.name : kind;
  return new HttpFailure(kind, sent, code || name);
}

/** Codes with which undici and Node say that they were used wrongly, or are in a state that we brought about. */
const OURS =
  /^(UND_ERR_(INVALID|NOT_SUPPORTED|REQ_|CLOSED|DESTROYED|MAX_ORIGINS)|ERR_(INVALID|ASSERTION|OUT_OF_RANGE|MISSING|HTTP_INVALID|METHOD_NOT))/;

/** An error of our own program: what the network and the other side do comes with other codes. */
const isOurs = (error: unknown, code: string): boolean =>
  OURS.test(code) ||
  (code === "" && [TypeError, RangeError, ReferenceError].some((kind) => error instanceof kind));
