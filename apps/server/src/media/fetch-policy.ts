import type { FailedOutcome } from "../channels/adapter.ts";
import type { MediaFailure } from "./media.ts";

/** The time to ask for a file and to read all of it. For 100 MB that is 700 kB a second. */
export const FETCH_MS = 150_000;
/**
 * Longer than `FETCH_MS` and the two minutes of the object store together. So a live worker settles within its lease.
 */
export const FETCH_LEASE_MS = 300_000;

/** Waits after the first, second … failure that may pass: two hours in all. Then the file is given up. */
const BACK_OFF_SECONDS = [5, 30, 120, 900, 6_000] as const;
const LONGEST_WAIT_MS = 60 * 60_000;

/** The longest wait before the next try. */
export const MOST_FETCH_WAIT_MS = Math.max(
  LONGEST_WAIT_MS,
  ...BACK_OFF_SECONDS.map((seconds) => seconds * 1000),
);

/** The state of a file after a try. */
export type FetchVerdict =
  | { readonly kind: "failed"; readonly reason: MediaFailure; readonly detail: string }
  | { readonly kind: "retry"; readonly afterMs: number };

/** The verdict on a platform's refusal. `attempts` includes this try. Pure. */
export function judgeRefusal(
  outcome: Pick<FailedOutcome, "reason" | "code" | "detail" | "retryAfterMs">,
  attempts: number,
): FetchVerdict {
  const detail = `${outcome.code}: ${outcome.detail}`;
  switch (outcome.reason) {
    case "rejected":
    case "opted_out":
      return { kind: "failed", reason: "gone", detail };
    case "misconfigured":
      return { kind: "failed", reason: "refused", detail };
    case "throttled":
    case "unreachable":
    // Reading changes nothing at the platform, so after a lost answer we may ask again.
    case "unknown":
      return tryAgain(attempts, "unreachable", detail, outcome.retryAfterMs);
  }
}

/**
 * The verdict of another try, or of failure when none is left. The try comes no sooner than the platform asks
 * (`askedMs`).
 */
export function tryAgain(
  attempts: number,
  reason: MediaFailure,
  detail: string,
  askedMs = 0,
): FetchVerdict {
  const seconds = BACK_OFF_SECONDS[attempts - 1];
  if (seconds === undefined) return { kind: "failed", reason, detail };
  return { kind: "retry", afterMs: Math.max(seconds * 1000, Math.min(askedMs, LONGEST_WAIT_MS)) };
}
