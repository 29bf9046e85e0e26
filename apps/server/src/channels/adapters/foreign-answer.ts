import type { FailedOutcome } from "../adapter.ts";

/**
 * What an answer means that holds no error of the platform, by its HTTP status alone (channels.md §0.2): a proxy, a wrong
 * base address, a server that broke. It is not the platform's word about the account, and a refusal or a redirect that
 * is not followed proves that the platform did not get the call: it may be tried again. 429 is the caller's: each
 * platform says its own way how long to wait.
 */
export function outcomeOfStatus(status: number): FailedOutcome {
  const code = `HTTP_${status}`;
  // Of them 303 alone says that the work was done, and its result is elsewhere.
  if (status >= 300 && status < 500 && status !== 303) {
    const detail =
      status < 400
        ? "the base address answers with a redirect, which is not followed"
        : "refused by something that is not the platform";
    return { ok: false, reason: "unreachable", code, detail };
  }
  return { ok: false, reason: "unknown", code, detail: "the answer does not say what happened" };
}
