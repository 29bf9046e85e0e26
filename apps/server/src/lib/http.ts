/** A request to somebody else's server. Bodies are bytes or text that is sent as it is. */
export interface HttpRequest {
  readonly method: "GET" | "POST" | "DELETE" | "PUT" | "PATCH";
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** A stream needs its length in a `content-length` header. It is read once. */
  readonly body?: string | Uint8Array | AsyncIterable<Uint8Array>;
  /** Whole call, connect included. Default 20 s: shorter than any lease. */
  readonly timeoutMs?: number;
  /** What is read of the answer at most; the rest is dropped. Default 256 KiB. */
  readonly maxResponseBytes?: number;
  readonly signal?: AbortSignal;
  /** Only the status matters: when the body breaks off or is too slow, the answer resolves with the bytes that came. */
  readonly acceptPartial?: boolean;
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** Set when the body was longer than `maxResponseBytes`, or broke off and that was accepted. */
  readonly partial?: true;
}

/**
 * Why no answer came. `sent` is the question that decides everything in delivery: could the peer have
 * acted on the request? `false` only when that is proven (name, address, connection or TLS failed first).
 */
export type HttpFailureKind =
  | "blocked"
  | "dns"
  | "connect"
  | "tls"
  | "timeout"
  | "reset"
  | "aborted"
  /** Our own client could not make the call, or made it wrongly: nothing that the network or the other side did. */
  | "client";

/** A call without an answer: why, and whether the request may have reached the other side. */
export class HttpFailure extends Error {
  readonly kind: HttpFailureKind;
  readonly sent: boolean;
  constructor(kind: HttpFailureKind, sent: boolean, message: string) {
    super(message);
    this.name = "HttpFailure";
    this.kind = kind;
    this.sent = sent;
  }
}

/**
 * The code that a message, a file or a channel keeps: `NETWORK_CONNECT` and the like. `CLIENT_ERROR` means that the
 * fault was ours.
 */
export const failureCode = ({ kind }: HttpFailure): string =>
  kind === "client" ? "CLIENT_ERROR" : `NETWORK_${kind.toUpperCase()}`;

/** Answers of any status resolve; redirects are never followed; no answer throws `HttpFailure`. */
export interface Http {
  request(request: HttpRequest): Promise<HttpResponse>;
}

/** An answer with a body that is read as it comes. Ending the loop early ends the connection. */
export interface HttpStream {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: AsyncIterable<Uint8Array>;
}

/** Also answers that are too large to be held in memory. `timeoutMs` bounds the whole, the body included. */
export interface StreamingHttp extends Http {
  stream(request: HttpRequest): Promise<HttpStream>;
}
