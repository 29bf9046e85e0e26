import type { ErrorJson } from "./wire/error.ts";
import type { LimitCode } from "./wire/words.ts";

/** What can go wrong, by stable code. Clients switch on these; knows nothing of HTTP (`http/edge/errors.ts` maps them). */
export type ErrorCode =
  | "VALIDATION_FAILED"
  | "MALFORMED_JSON"
  | "CONTACT_NEEDS_IDENTITY"
  | "CONVERSATION_NOT_FOUND"
  | "SMS_PROVIDER_NOT_VERIFIED"
  | "BROADCAST_NOT_STARTABLE"
  | "BROADCAST_NOT_FOUND"
  | "ROUTE_NOT_FOUND"
  | "METHOD_NOT_ALLOWED"
  | "BODY_TOO_LARGE"
  | "UNSUPPORTED_MEDIA_TYPE"
  | "MISSING_API_KEY"
  | "MALFORMED_API_KEY"
  | "INVALID_API_KEY"
  | `MISSING_SCOPE:${string}`
  | "RATE_LIMITED"
  | "IDEMPOTENCY_KEY_REUSED"
  | "IDEMPOTENCY_IN_PROGRESS"
  | PlanLimitCode
  | "OVERLOADED"
  // Of /media: the file is being fetched.
  | "MEDIA_PENDING"
  | "INTERNAL"
  // Of web chat (docs/web-chat.md).
  | "INVALID_TOKEN"
  | "INVALID_IDENTITY"
  | "ORIGIN_NOT_ALLOWED"
  // Of the dashboard: nobody is signed in; address or password is wrong.
  | "UNAUTHENTICATED"
  | "INVALID_CREDENTIALS"
  // The password was last asked for too long ago: ask for it again, then repeat the call.
  | "REAUTH_REQUIRED"
  // The workspace requires two-factor, and the member has none: nothing else is done before it is set up.
  | "TWO_FACTOR_REQUIRED"
  // What a path names is not there (a campaign has its own code).
  | "NOT_FOUND"
  // Not of the REST API: the command line and, later, the dashboard show these with their text.
  | "CONFLICT"
  // A member's role may not do it (`policies.ts`).
  | "FORBIDDEN"
  // The workspace would have no owner left.
  | "LAST_OWNER"
  | "NOT_ALLOWED_IN_STATE";

/** The codes of a 402 (spec, PlanLimitError). */
export type PlanLimitCode = LimitCode;

/** Why, for an interface with words of its own: a name out of a closed list, and what belongs into the words. */
export interface FaultReason {
  readonly code: string;
  readonly params?: Readonly<Record<string, string | number>>;
}

/** One fault of the input: where, and what it must be. The reason is told to the dashboard alone. */
export type FaultDetail = NonNullable<ErrorJson["details"]>[number] & Partial<FaultReason>;

export interface ErrorFacts {
  readonly details?: readonly FaultDetail[];
  /** With plan limits: the limit and the use at this moment. */
  readonly limit?: number;
  readonly usage?: number;
  readonly retryAfterSeconds?: number;
  /** A sentence for a person (command line, dashboard). The REST API answers the code alone. */
  readonly explanation?: string;
}

/** The one error the domain throws on purpose. Anything else is a defect and becomes INTERNAL. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly facts: ErrorFacts;
  constructor(code: ErrorCode, facts: ErrorFacts = {}) {
    super(
      facts.explanation ?? facts.details?.map((d) => `${d.path}: ${d.message}`).join("; ") ?? code,
    );
    this.name = "AppError";
    this.code = code;
    this.facts = facts;
  }
}

/** Refuses input by name of the field. */
export function invalid(
  path: string,
  message: string,
  reason: Partial<FaultReason> = {},
): AppError {
  return new AppError("VALIDATION_FAILED", { details: [{ path, message, ...reason }] });
}
