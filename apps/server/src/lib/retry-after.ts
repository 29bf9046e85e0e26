import type { HttpResponse } from "./http.ts";

/** No wait that somebody asks for is longer. */
const LONGEST_WAIT_MS = 24 * 3_600_000;

/**
 * The wait that an answer's `Retry-After` asks for, in milliseconds, a day at most. It is a number of seconds or a date
 * (RFC 9110, 10.2.3). A date counts from the answer's own `Date`, so that our clock need not agree with the other side's.
 * Null: there is none, or it asks for no wait.
 */
export function retryAfterOf({ headers }: Pick<HttpResponse, "headers">): number | null {
  const given = headers["retry-after"]?.trim() ?? "";
  const seconds = given === "" ? Number.NaN : Number(given);
  const ms = Number.isNaN(seconds)
    ? Date.parse(given) - Date.parse(headers["date"] ?? "")
    : seconds * 1_000;
  return Number.isFinite(ms) && ms > 0 ? Math.min(ms, LONGEST_WAIT_MS) : null;
}
