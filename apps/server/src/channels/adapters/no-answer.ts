import { failureCode, HttpFailure } from "../../lib/http.ts";
import type { FailedOutcome } from "../adapter.ts";

/**
 * The outcome of a call that nobody answered, depending on `sent`. Anything but an `HttpFailure` is a defect and
 * is thrown on.
 */
export function outcomeOfNoAnswer(error: unknown): FailedOutcome {
  if (!(error instanceof HttpFailure)) throw error;
  const code = failureCode(error);
  if (error.sent)
    return { ok: false, reason: "unknown", code, detail: "the request left and no answer came" };
  const detail =
    error.kind === "client"
      ? `our own HTTP client could not make the call (${error.message})`
      : "the platform could not be reached";
  return { ok: false, reason: "unreachable", code, detail };
}
