import { HttpFailure } from "../../lib/http.ts";
import type { FailedOutcome } from "../adapter.ts";

/** The outcome of a call that nobody answered: `sent` decides. Anything but an `HttpFailure` is a defect and goes on. */
export function outcomeOfNoAnswer(error: unknown): FailedOutcome {
  if (!(error instanceof HttpFailure)) throw error;
  const code = `NETWORK_${error.kind.toUpperCase()}`;
  return error.sent
    ? { ok: false, reason: "unknown", code, detail: "the request left and no answer came" }
    : { ok: false, reason: "unreachable", code, detail: "the platform could not be reached" };
}
