import type { FailedOutcome } from "../adapter.ts";

/**
 * The meaning of an answer without a platform's error, by its HTTP status alone (channels.md §0.2). It comes from
 * a proxy, from a wrong base address or from a server that broke, so it says nothing of the account. A refusal, or
 * a redirect that is not followed, proves that the platform did not get the call: it may be tried again. The
 * caller handles 429, because each platform has its own way to say how long to wait.
 */
export function outcomeOfStatus(status: number): FailedOutcome {
  const code = `HTTP_${status}`;
  // Among redirects only 303 says that the work was done, and its result is at another address.
  if (status >= 300 && status < 500 && status !== 303) {
    const detail =
      status < 400
        ? "the base address answers with a redirect, which is not followed"
        : "refused by something that is not the platform";
    return { ok: false, reason: "unreachable", code, detail };
  }
  return { ok: false, reason: "unknown", code, detail: "the answer does not say what happened" };
}
