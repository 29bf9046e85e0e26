import type { Request } from "./call.ts";
import { ParleyError, type ErrorCode } from "./errors.ts";
import type { ErrorBody, PlanLimitErrorBody } from "./generated/types.ts";

export type Outcome =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly error: ParleyError };

export interface Facts {
  readonly attempts: number;
  readonly idempotencyKey: string | null;
  readonly cause?: unknown;
  readonly hint?: string;
  readonly status?: number;
  readonly requestId?: string | null;
  readonly retryAfterMs?: number | null;
  readonly body?: Partial<ErrorBody & PlanLimitErrorBody>;
}

export function failed(code: ErrorCode, facts: Facts): ParleyError {
  const unset = { status: null, requestId: null, retryAfterMs: null };
  return new ParleyError(code, { ...unset, ...facts });
}

const refused = (code: ErrorCode, facts: Facts): Outcome => ({
  ok: false,
  error: failed(code, facts),
});

/** What an answer says: the value of a success, or why it is none. */
export function read(response: Response, text: string, facts: Facts): Outcome {
  // A file is given as it is.
  if (response.ok && response.headers.get("content-type")?.startsWith("text/csv"))
    return { ok: true, value: text };
  const body = parse(text);
  if (response.ok && body !== undefined) return { ok: true, value: body };
  const requestId = response.headers.get("x-request-id");
  const known = {
    ...facts,
    status: response.status,
    requestId,
    retryAfterMs: readRetryAfter(response),
  };
  if (typeof body !== "object" || body === null || !("message" in body) || response.ok)
    return refused("UNEXPECTED_ANSWER", {
      ...known,
      hint: `status ${response.status} without the API's body`,
    });
  const error = body as Partial<ErrorBody & PlanLimitErrorBody>;
  const hint = error.message === "ROUTE_NOT_FOUND" ? { hint: "does baseUrl end in /api?" } : {};
  return refused(String(error.message) as ErrorCode, { ...known, ...hint, body: error });
}

/** `undefined` for what is no JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/**
 * Seconds or, from a proxy, a date; of a rate that says neither, when it has room again. A time that is over (the date of a
 * maintenance that lasts longer) says nothing: a client that came back at once would do so again and again.
 */
function readRetryAfter({ headers, status }: Response): number | null {
  const text = headers.get("retry-after") ?? (status === 429 && headers.get("ratelimit-reset"));
  if (!text) return null;
  const ms = /^\d{1,7}$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - Date.now();
  return ms > 0 ? ms : null;
}

/** Methods that HTTP lets anybody repeat. */
const REPEATABLE: ReadonlySet<string> = new Set(["GET", "PUT", "DELETE"]);

/** What runtimes say of a connection that never was. Of it nothing was sent. */
const UNSENT: ReadonlySet<unknown> = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH", "UND_ERR_CONNECT_TIMEOUT", "ConnectionRefused", "FailedToOpenSocket"]); // oxfmt-ignore

/** True when no byte of the request can have left: Node and Bun say it by a code, Deno in words. */
export function wasUnsent(cause: unknown): boolean {
  if (!(cause instanceof Error)) return false;
  if ("code" in cause && UNSENT.has(cause.code)) return true;
  return cause.message.includes("client error (Connect)") || wasUnsent(cause.cause);
}

/**
 * True when the same request again can only have the effect that one would have had. A PATCH may add to what it finds, as a
 * note: it is sent again only when the first did not arrive, whatever version it is bound to.
 */
export function mayRepeat(request: Request, { status, code, cause }: ParleyError): boolean {
  if (code === "STREAM_REPLACED") return false;
  if (status === 429) return true;
  // The disk stays full until somebody makes room.
  if (code === "STORAGE_FULL") return false;
  if (status === 409) return code === "IDEMPOTENCY_IN_PROGRESS";
  if (status === null && wasUnsent(cause)) return true;
  if (!REPEATABLE.has(request.method) && !request.keyed && !request.repeatable)
    return status === 503 && code === "OVERLOADED";
  return status === null || status >= 500;
}
