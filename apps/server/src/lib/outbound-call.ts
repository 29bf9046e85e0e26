import { Readable } from "node:stream";
import type { Dispatcher } from "undici";
import { AddressRefused } from "./address-guard.ts";
import { HttpFailure, type HttpRequest } from "./http.ts";
import type { OriginPools } from "./origin-pools.ts";
import { NameUnresolved } from "./resolve-name.ts";

const TOTAL_MS = 20_000;
/**
 * The most answers like "103 Early Hints" before the real one. Without a limit such a server would be read until the
 * time is over.
 */
const MOST_EARLY = 16;

/** What happens to a call, in this order. After `ended` or `failed` nothing more comes. */
export interface CallListener {
  started(status: number, headers: Record<string, string>): void;
  data(chunk: Buffer): void;
  ended(): void;
  failed(failure: HttpFailure): void;
}

export interface Call {
  /** `pause` stops reading the answer, `resume` goes on. So what the reader has not taken does not fill the memory. */
  pause(): void;
  resume(): void;
  /** Ends the connection. The listener is told nothing more. */
  close(): void;
}

/** Makes one request. A failure's `sent` is exact: undici calls `onRequestStart` just before it writes. */
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
          // The call is over already, or undici wants to send it a second time. In both cases nothing may be sent.
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

/** Turns an error into an `HttpFailure` without the error's text, which may hold the address and in it a token. */
export function failureOf(error: unknown, sent: boolean): HttpFailure {
  if (error instanceof HttpFailure) return error;
  if (error instanceof NameUnresolved) return new HttpFailure("dns", sent, error.message);
  if (error instanceof AddressRefused) return new HttpFailure("blocked", sent, error.message);
  const code =
    error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
  // undici's own assertions fail on an answer that is none, such as one with the status 099.
  const isAnswer = sent && code === "ERR_ASSERTION";
  const kind = !isAnswer && isOurs(error, code) ? "client" : sent ? "reset" : "connect";
  const name = kind === "client" && error instanceof Error ? error.name : kind;
  return new HttpFailure(kind, sent, code || name);
}

/** The codes by which undici and Node report that we used them wrongly, or that we brought them into this state. */
const OURS =
  /^(UND_ERR_(INVALID|NOT_SUPPORTED|REQ_|CLOSED|DESTROYED|MAX_ORIGINS)|ERR_(INVALID|ASSERTION|OUT_OF_RANGE|MISSING|HTTP_INVALID|METHOD_NOT))/;

/** Whether the fault is in our own program. The network and the other side cause errors with other codes. */
const isOurs = (error: unknown, code: string): boolean =>
  OURS.test(code) ||
  (code === "" && [TypeError, RangeError, ReferenceError].some((kind) => error instanceof kind));
