import type { ApiErrorCode, ErrorBody, PlanLimitErrorBody } from "./generated/types.ts";

/** Without the document: an address that is none of the API, and what happens on the way to it. */
export type ClientErrorCode =
  | "ROUTE_NOT_FOUND"
  | "METHOD_NOT_ALLOWED"
  /** No answer came: the name is unknown, the connection was refused or lost. `cause` has the reason. */
  | "CONNECTION_FAILED"
  /** No whole answer within `timeoutMs`. */
  | "TIMED_OUT"
  /** The key opened more streams than it may have: this one was ended for a newer one. */
  | "STREAM_REPLACED"
  /** Something answered that is not Parley, such as a proxy. */
  | "UNEXPECTED_ANSWER";

export type ErrorCode = ApiErrorCode | ClientErrorCode;

export interface ErrorFacts {
  readonly status: number | null;
  readonly requestId: string | null;
  readonly attempts: number;
  readonly retryAfterMs: number | null;
  readonly idempotencyKey: string | null;
  readonly body?: Partial<ErrorBody & PlanLimitErrorBody>;
  readonly cause?: unknown;
  readonly hint?: string;
}

/** Why a call failed. Switch on `code`; every other member explains it. */
export class ParleyError extends Error {
  override readonly name = "ParleyError";
  /** A newer server may say one that this version of the client does not know: keep a default. */
  readonly code: ErrorCode;
  /** The HTTP status; null when no answer came. */
  readonly status: number | null;
  /** Names the request in the server's log. */
  readonly requestId: string | null;
  /** With VALIDATION_FAILED: every fault. With other codes: the sentence that explains it, where there is one. */
  readonly details: readonly { readonly path: string; readonly message: string }[];
  /** With a plan's limit (402): the limit and the use at that moment. */
  readonly limit: number | null;
  readonly usage: number | null;
  /** How long the server asked to wait. */
  readonly retryAfterMs: number | null;
  /** Of a POST. When the outcome is not known, the same call under this key is safe for 24 hours. */
  readonly idempotencyKey: string | null;
  /** How often it was tried. */
  readonly attempts: number;

  constructor(code: ErrorCode, facts: ErrorFacts) {
    const faults = facts.body?.details ?? [];
    const words = faults.map(({ path, message }) => (path ? `${path}: ${message}` : message));
    const why = words.join("; ") || facts.hint;
    super(why ? `${code} (${why})` : code, { cause: facts.cause });
    this.code = code;
    this.status = facts.status;
    this.requestId = facts.requestId;
    this.details = faults;
    this.limit = facts.body?.limit ?? null;
    this.usage = facts.body?.usage ?? null;
    this.retryAfterMs = facts.retryAfterMs;
    this.idempotencyKey = facts.idempotencyKey;
    this.attempts = facts.attempts;
  }
}
