import type { HttpResponse } from "../../../lib/http.ts";
import type { FailedOutcome } from "../../adapter.ts";
import { outcomeOfStatus } from "../foreign-answer.ts";
import { readGraphAnswer, readGraphError, readWaitMs } from "./graph-error.ts";

/** What one of the platform's codes means for us. */
export type GraphMeaning = Required<Pick<FailedOutcome, "reason" | "scope">> &
  Pick<FailedOutcome, "retryAfterMs" | "onceMore">;

/** One platform's table of codes. */
export interface CodeTable {
  /** Null for a code that is not documented. `words` are the platform's. */
  meaningOf(code: string, subcode: string | null, words: string): GraphMeaning | null;
  /** The code as we store it. */
  storedCode(code: string, subcode: string | null, words: string): string;
}

/**
 * The meaning of a refusal of the Graph API: first the code in the body, then the HTTP status (channels.md §0.2).
 * The rule for every branch: `unreachable` and `throttled` may be sent again, so they need proof that the message
 * was not sent. Without proof it is `unknown`.
 */
export function outcomeOfGraphFailure(
  response: HttpResponse,
  secret: string,
  table: CodeTable,
): FailedOutcome {
  const { status } = response;
  const error = readGraphError(readGraphAnswer(response), secret);
  if (error !== null) {
    const { detail } = error;
    const code = table.storedCode(error.code, error.subcode, detail);
    const verdict = table.meaningOf(error.code, error.subcode, detail);
    if (verdict?.reason === "throttled") {
      // The headers do not cover the limit for one recipient.
      const asked = verdict.scope === "account" ? readWaitMs(response.headers) : null;
      const retryAfterMs = asked ?? verdict.retryAfterMs ?? 1000;
      return { ok: false, reason: "throttled", code, detail, retryAfterMs, scope: verdict.scope };
    }
    if (verdict !== null) return { ok: false, code, detail, ...verdict };
    if (error.transient) return { ok: false, reason: "unreachable", code, detail };
    if (status === 429) return throttledByStatus(response, code, detail);
    if (status === 401)
      return { ok: false, reason: "misconfigured", code, detail, scope: "account" };
    if (status >= 400 && status < 500) return { ok: false, reason: "rejected", code, detail };
    return { ok: false, reason: "unknown", code, detail };
  }
  if (status === 429) return throttledByStatus(response, "HTTP_429", "too many requests");
  return outcomeOfStatus(status);
}

function throttledByStatus(response: HttpResponse, code: string, detail: string): FailedOutcome {
  const retryAfterMs = readWaitMs(response.headers) ?? 10_000;
  return { ok: false, reason: "throttled", code, detail, retryAfterMs, scope: "account" };
}
