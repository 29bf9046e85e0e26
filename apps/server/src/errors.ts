import type { ErrorJson } from "./wire/error.ts";
import type { LimitCode } from "./wire/words.ts";

/**
 * The stable codes of everything that can go wrong. Clients decide by them. They know nothing of HTTP:
 * `http/edge/errors.ts` maps them.
 */
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
  // At the dashboard: a member asked a language model, which did not answer.
  | "MODEL_UNAVAILABLE"
  // An upload: the files that no message carries yet fill the room of their author or workspace.
  | "UNSENT_FILES_FULL"
  // An upload: less of the disk is free than must stay free.
  | "STORAGE_FULL"
  // For /media: the file is still being fetched.
  | "MEDIA_PENDING"
  | "INTERNAL"
  // Of web chat (docs/web-chat.md).
  | "INVALID_TOKEN"
  | "INVALID_IDENTITY"
  | "ORIGIN_NOT_ALLOWED"
  // A page, its call or its stream under a name that is not this server's.
  | "HOST_NOT_KNOWN"
  // For the dashboard. The first: nobody is signed in. The second: address or password is wrong.
  | "UNAUTHENTICATED"
  | "INVALID_CREDENTIALS"
  // The password was asked for too long ago: ask for it again, then repeat the call.
  | "REAUTH_REQUIRED"
  // The workspace requires two-factor and the member has none. Nothing else is allowed until it is set up.
  | "TWO_FACTOR_REQUIRED"
  // What the path names does not exist (a campaign has its own code).
  | "NOT_FOUND"
  // The record changed meanwhile, or another has what must be its own.
  | "CONFLICT"
  // A member's role may not do it (`policies.ts`).
  | "FORBIDDEN"
  // The workspace would have no owner left.
  | "LAST_OWNER"
  // A template that is not UTILITY or AUTHENTICATION, to somebody who opted out (contract §6, Consent).
  | "CONTACT_OPTED_OUT"
  // Of verifications: the number got a code a moment ago, or many; the workspace sends none to its country.
  | "OTP_NUMBER_LIMITED"
  | "OTP_COUNTRY_REFUSED"
  // What names a contact leads to several, or to another one (contract §6; `contacts/upsert/`).
  | "CONTACT_CONFLICT"
  // An opt-in against the customer's own STOP, without evidence that they want it (contract §6, Consent).
  | "CONSENT_HELD"
  // What the record is now does not allow it: paused, started, in use.
  | "NOT_ALLOWED_IN_STATE"
  // A bot's draft has faults, which `details` names; cases of a bot fail.
  | "BOT_NOT_PUBLISHABLE"
  | "CASES_FAIL"
  // Another record of the workspace has this name.
  | "NAME_TAKEN"
  // Of template messages by a program: the template cannot be sent, its parts do not fit, or several channels have it.
  | "TEMPLATE_NOT_APPROVED"
  | "TEMPLATE_PARAMETERS"
  | "CHANNEL_NEEDED"
  // A file cannot go with this message on this channel; `details` names it.
  | "ATTACHMENT_REFUSED"
  // The channel does not have what the message asks for: a quote, on a platform without quotes.
  | "NOT_SUPPORTED_HERE"
  // The address of a file is refused, or does not give the file.
  | "NOT_FETCHED"
  // `If-Match` names another version of the record than there is now.
  | "VERSION_MISMATCH";

/** The codes of a 402 (spec, PlanLimitError). */
export type PlanLimitCode = LimitCode;

/**
 * The reason of a fault, for an interface with its own words: a name from a closed list, and the values for the words.
 */
export interface FaultReason {
  readonly code: string;
  readonly params?: Readonly<Record<string, string | number>>;
}

/** One fault of the input: where it is, and what must be there. Only the dashboard gets the reason. */
export type FaultDetail = NonNullable<ErrorJson["details"]>[number] & Partial<FaultReason>;

export interface ErrorFacts {
  readonly details?: readonly FaultDetail[];
  /** For plan limits: the limit and the use at this moment. */
  readonly limit?: number;
  readonly usage?: number;
  readonly retryAfterSeconds?: number;
  /** A sentence for a person, without secrets. The REST API answers it in `details`, when there are no others. */
  readonly explanation?: string;
}

/** The only error that the domain throws on purpose. Anything else is a defect and becomes INTERNAL. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly facts: ErrorFacts;
  constructor(code: ErrorCode, facts: ErrorFacts = {}) {
    super(facts.explanation ?? facts.details?.map(inWords).join("; ") ?? code);
    this.name = "AppError";
    this.code = code;
    this.facts = facts;
  }
}

/** A fault of the whole has no path. */
const inWords = ({ path, message }: FaultDetail): string =>
  path === "" ? message : `${path}: ${message}`;

/** What a change of another version than there is says. */
export const MISMATCH =
  "the record changed since If-Match's version: read it again, then repeat the change with its new ETag";

/** Words of codes that say the same wherever they are thrown. INVALID_API_KEY must not tell which of its causes it was. */
const WORDS: Partial<Record<ErrorCode, string>> = {
  MISSING_API_KEY: "send the header Authorization: Bearer PUBLIC:SECRET",
  MALFORMED_API_KEY:
    "the header must be Authorization: Bearer PUBLIC:SECRET, with the word Bearer, a space, and both halves joined by a colon",
  INVALID_API_KEY: "the key is unknown, revoked or expired, or its secret is wrong",
  NOT_FOUND: "no record of this workspace has this id",
  ROUTE_NOT_FOUND:
    "no call has this address: /api/docs lists them, and /api/openapi.json is the document; each begins with /api/v1",
  METHOD_NOT_ALLOWED: "the header Allow names the methods of this address",
  IDEMPOTENCY_IN_PROGRESS: "the first call under this key still runs",
  VERSION_MISMATCH: MISMATCH,
  RATE_LIMITED:
    "too many calls: wait as long as Retry-After says; /docs/guides/limits has the limits",
};

/**
 * What a caller gets beyond the code: the faults, else the sentence that explains the error, else the words of its code. A
 * code that says all has none.
 */
export function faultsToShow({ code, facts }: AppError): readonly FaultDetail[] | undefined {
  if (facts.details) return facts.details;
  const message = facts.explanation ?? wordsOf(code, facts);
  return message === undefined ? undefined : [{ path: "", message }];
}

/** What a person reads of an error in one line: its own words, else those of its code, else the code. */
export const sentenceOf = ({ code, message, facts }: AppError): string =>
  message === code ? (wordsOf(code, facts) ?? code) : message;

function wordsOf(code: ErrorCode, { limit, usage }: ErrorFacts): string | undefined {
  if (code.startsWith(SCOPE))
    return `the key was made without the scope ${code.slice(SCOPE.length)}`;
  if (code === "MESSAGE_LIMIT_REACHED" && limit !== undefined && usage !== undefined)
    return `${usage} of this month's ${limit} messages are used`;
  return WORDS[code];
}

const SCOPE = "MISSING_SCOPE:";

/**
 * Refuses what the state of a record does not allow. `details` names the state (`is`) and those in which it is allowed;
 * `explanation` says the same to a person.
 */
export function notInState(
  is: string,
  allowed: readonly string[],
  explanation: string,
  path = "status",
): AppError {
  const message = `is ${is}; this needs ${allowed.join(" or ")}`;
  return new AppError("NOT_ALLOWED_IN_STATE", { explanation, details: [{ path, message }] });
}

/** Refuses another request under an idempotency key that was used. `path` names the key as the caller gave it. */
export function keyReused(path: string): AppError {
  const message =
    "was used for another request, and its answer is kept. A repeat needs the same bytes. A request that was changed needs a new key, also after a refusal: of a list that grew, send only what is new";
  return new AppError("IDEMPOTENCY_KEY_REUSED", { details: [{ path, message }] });
}

/** Refuses what has more bytes than it may have. `what` names it, with its article. */
export const tooLarge = (mostBytes: number, what = "the body"): AppError =>
  new AppError("BODY_TOO_LARGE", { explanation: `${what} may have at most ${mostBytes} bytes` });

/** Makes the error that refuses a field of the input. */
export function invalid(
  path: string,
  message: string,
  reason: Partial<FaultReason> = {},
): AppError {
  return new AppError("VALIDATION_FAILED", { details: [{ path, message, ...reason }] });
}
