import type { MemberRole } from "../../../server/src/actor.ts";
import type { ErrorJson } from "../../../server/src/wire/error.ts";

/** One fault of the input. `code` and `params`: why, where the server has a closed list of reasons. */
export type FaultDetail = NonNullable<ErrorJson["details"]>[number] & {
  readonly code?: string;
  readonly params?: Readonly<Record<string, string | number>>;
};

/** Why a call failed. `NO_CONNECTION`: no answer came, so the server may have done it all the same. */
export class ApiError extends Error {
  /** The server's stable code (`CONVERSATION_NOT_FOUND`), or `NO_CONNECTION`. */
  readonly code: string;
  /** 0 without an answer. */
  readonly status: number;
  /** With `VALIDATION_FAILED`: every fault, by the path of its field. */
  readonly details: readonly FaultDetail[];
  /** Names the request in the server's log. */
  readonly requestId: string | null;
  /** With `FORBIDDEN`: the roles that may, where the page knows them. */
  readonly roles: readonly MemberRole[];
  /** Seconds to wait before another try; null: the server did not say. */
  readonly retryAfter: number | null;

  constructor(facts: {
    readonly code: string;
    readonly status?: number;
    readonly details?: readonly FaultDetail[];
    readonly requestId?: string | null;
    readonly retryAfter?: number | null;
    readonly roles?: readonly MemberRole[] | undefined;
    readonly cause?: unknown;
  }) {
    super(facts.code, { cause: facts.cause });
    this.name = "ApiError";
    this.code = facts.code;
    this.status = facts.status ?? 0;
    this.details = facts.details ?? [];
    this.requestId = facts.requestId ?? null;
    this.retryAfter = facts.retryAfter ?? null;
    this.roles = facts.roles ?? [];
  }

  /** Whether the same call may succeed later: no answer, or the server had no room for it. */
  get passing(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }
}

/** Reads the error in the answer to a failed request. */
export async function errorOf(response: Response): Promise<ApiError> {
  const body = await response.json().catch(() => null);
  const { message, details, requestId } = isErrorBody(body) ? body : {};
  const after = Number(response.headers.get("retry-after") ?? Number.NaN);
  return new ApiError({
    code: message ?? "INTERNAL",
    status: response.status,
    details: details ?? [],
    requestId: requestId ?? response.headers.get("x-request-id"),
    retryAfter: Number.isFinite(after) ? after : null,
  });
}

function isErrorBody(body: unknown): body is ErrorJson {
  return (
    typeof body === "object" &&
    body !== null &&
    "message" in body &&
    typeof body.message === "string"
  );
}
