/** A request to somebody else's server. Bodies are bytes or text that is sent as it is. */
export interface HttpRequest {
  readonly method: "GET" | "POST" | "DELETE" | "PUT" | "PATCH";
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** A stream is read once. Its length must stand in a `content-length` header. */
  readonly body?: string | Uint8Array | AsyncIterable<Uint8Array>;
  /** For the whole call, connecting included. Default 20 s, which is shorter than any lease. */
  readonly timeoutMs?: number;
  /** The most that is read of the answer's body. The rest is dropped. Default 256 KiB. */
  readonly maxResponseBytes?: number;
  readonly signal?: AbortSignal;
  /**
   * True when only the status matters. When the body breaks off or is too slow, the answer then resolves with the bytes
   * that came.
   */
  readonly acceptPartial?: boolean;
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** Set when the body was longer than `maxResponseBytes`, or when it broke off and `acceptPartial` was set. */
  readonly partial?: true;
}

/**
 * Why no answer came. Delivery also needs to know `sent`: could the other side have acted on the request? It is `false`
 * only when that is ruled out, because name, address, connection or TLS failed first.
 */
export type HttpFailureKind =
  | "blocked"
  | "dns"
  | "connect"
  | "tls"
  | "timeout"
  | "reset"
  | "aborted"
  /**
   * Our own client could not make the call, or made it wrongly. Neither the network nor the other side is the cause.
   */
  | "client";

/** A call without an answer: the reason, and whether the request may have reached the other side. */
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
 * The error code that is stored with a message, a file or a channel: `NETWORK_CONNECT` and the like. `CLIENT_ERROR`
 * means that the fault was ours.
 */
export const failureCode = ({ kind }: HttpFailure): string =>
  kind === "client" ? "CLIENT_ERROR" : `NETWORK_${kind.toUpperCase()}`;

/**
 * Makes calls. An answer resolves whatever its status. Redirects are never followed. A call without an answer throws
 * `HttpFailure`.
 */
export interface Http {
  request(request: HttpRequest): Promise<HttpResponse>;
}

/** An answer whose body is read as it comes. A reader that ends its loop early ends the connection. */
export interface HttpStream {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: AsyncIterable<Uint8Array>;
}

/** Also reads answers that are too large for memory. `timeoutMs` counts for the whole call, the body included. */
export interface StreamingHttp extends Http {
  stream(request: HttpRequest): Promise<HttpStream>;
}
