import { STATUS_CODES } from "node:http";
import { isPassingFault } from "../../db/passing-fault.ts";
import { AppError, faultsToShow, invalid, tooLarge, type ErrorCode } from "../../errors.ts";
import type { ErrorJson } from "../../wire/error.ts";
import { GroupCommitFull } from "../../lib/group-commit.ts";

type FixedCode = Exclude<ErrorCode, `MISSING_SCOPE:${string}`>;

/** The one table from an error of ours to an HTTP status (spec "Errors", contract §5). */
export const STATUS = {
  VALIDATION_FAILED: 400,
  MALFORMED_JSON: 400,
  CONTACT_NEEDS_IDENTITY: 400,
  CONVERSATION_NOT_FOUND: 400,
  SMS_PROVIDER_NOT_VERIFIED: 400,
  BROADCAST_NOT_STARTABLE: 400,
  TEMPLATE_NOT_APPROVED: 400,
  TEMPLATE_PARAMETERS: 400,
  CHANNEL_NEEDED: 400,
  BOT_NOT_PUBLISHABLE: 400,
  ATTACHMENT_REFUSED: 400,
  NOT_SUPPORTED_HERE: 400,
  NOT_FETCHED: 400,
  MISSING_API_KEY: 401,
  MALFORMED_API_KEY: 401,
  INVALID_API_KEY: 401,
  INVALID_TOKEN: 401,
  UNAUTHENTICATED: 401,
  INVALID_CREDENTIALS: 401,
  INVALID_IDENTITY: 401,
  ORIGIN_NOT_ALLOWED: 403,
  REAUTH_REQUIRED: 403,
  TWO_FACTOR_REQUIRED: 403,
  MESSAGE_LIMIT_REACHED: 402,
  SEAT_LIMIT_REACHED: 402,
  BOT_LIMIT_REACHED: 402,
  CHANNEL_LIMIT_REACHED: 402,
  AI_REPLY_LIMIT_REACHED: 402,
  SUBSCRIPTION_SUSPENDED: 402,
  INSUFFICIENT_CREDITS: 402,
  OTP_RATE_LIMITED: 402,
  BROADCAST_NOT_FOUND: 404,
  ROUTE_NOT_FOUND: 404,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  IDEMPOTENCY_IN_PROGRESS: 409,
  CONFLICT: 409,
  NOT_ALLOWED_IN_STATE: 409,
  CASES_FAIL: 409,
  NAME_TAKEN: 409,
  LAST_OWNER: 409,
  CONTACT_OPTED_OUT: 409,
  CONTACT_CONFLICT: 409,
  CONSENT_HELD: 409,
  UNSENT_FILES_FULL: 409,
  FORBIDDEN: 403,
  OTP_COUNTRY_REFUSED: 403,
  VERSION_MISMATCH: 412,
  BODY_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  HOST_NOT_KNOWN: 421,
  IDEMPOTENCY_KEY_REUSED: 422,
  OTP_NUMBER_LIMITED: 429,
  RATE_LIMITED: 429,
  INTERNAL: 500,
  OVERLOADED: 503,
  MODEL_UNAVAILABLE: 503,
  MEDIA_PENDING: 503,
  STORAGE_FULL: 507,
} as const satisfies Record<FixedCode, number>;

/** The HTTP status of a code. A code that the table lacks is `MISSING_SCOPE:…`, so 403. */
export function statusOf(code: ErrorCode): number {
  return isFixed(code) ? STATUS[code] : 403;
}

function isFixed(code: ErrorCode): code is FixedCode {
  return Object.hasOwn(STATUS, code);
}

export interface ErrorAnswer {
  readonly status: number;
  readonly code: ErrorCode;
  readonly body: string;
  readonly retryAfterSeconds: number | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * What a client is told. `requestId` matters only for INTERNAL, which says nothing else. `reasons`: each fault also names
 * its reason, which is no part of the REST API.
 */
export function errorAnswer(error: AppError, requestId?: string, reasons = false): ErrorAnswer {
  const { code, facts } = error;
  const status = statusOf(code);
  const body: ErrorJson = {
    statusCode: status,
    error: STATUS_CODES[status] ?? "Error",
    message: code,
    ...(status === 402 && { code, limit: facts.limit, usage: facts.usage }),
    ...detailsOf(error, reasons),
    ...(code === "INTERNAL" && requestId !== undefined && { requestId }),
  };
  const waits = status === 429 || status === 503 || code === "IDEMPOTENCY_IN_PROGRESS";
  return {
    status,
    code,
    body: JSON.stringify(body),
    retryAfterSeconds: facts.retryAfterSeconds ?? (waits ? 1 : undefined),
    ...(status === 401 && { headers: { "www-authenticate": "Bearer" } }),
  };
}

/**
 * The faults, or a sentence: a program that has only the code cannot say which of its ids is unknown, or what the state is
 * and must be. The dashboard has words of its own.
 */
function detailsOf(error: AppError, reasons: boolean): Pick<ErrorJson, "details"> {
  const { details } = error.facts;
  if (reasons) return details ? { details } : {};
  const status = statusOf(error.code);
  // A 402 has its figures beside the code. A fault of ours says nothing of itself.
  const isBare = status >= 500 || (status === 402 && error.facts.explanation === undefined);
  const faults = isBare ? details : faultsToShow(error);
  return faults ? { details: faults.map(({ path, message }) => ({ path, message })) } : {};
}

/**
 * Turns anything thrown into an AppError: our own, the HTTP library's, an overload, or a defect (INTERNAL). `mostBytes`:
 * what the body of the request may have.
 */
export function toAppError(error: unknown, mostBytes?: number): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof GroupCommitFull || isPassingFault(error))
    return new AppError("OVERLOADED", { retryAfterSeconds: 5 });
  const status = statusCodeOf(error);
  if (status === 413)
    return mostBytes === undefined ? new AppError("BODY_TOO_LARGE") : tooLarge(mostBytes);
  if (status === 415) return new AppError("UNSUPPORTED_MEDIA_TYPE");
  if (status === 404) return new AppError("ROUTE_NOT_FOUND");
  if (status === 400) return invalid("", "is not a request this server can read");
  return new AppError("INTERNAL");
}

/** Fastify's own errors carry their intended status. */
function statusCodeOf(error: unknown): number | undefined {
  const named = error instanceof Error && "code" in error && String(error.code).startsWith("FST_");
  return named && "statusCode" in error ? Number(error.statusCode) : undefined;
}
