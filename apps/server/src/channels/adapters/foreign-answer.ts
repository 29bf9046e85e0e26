import type { FailedOutcome } from "../adapter.ts";

/**
 * What an answer means that holds no error of the platform, by its HTTP status alone (channels.md §0.2): a proxy, a wrong
 * base address, a server that broke. So it is about every recipient. 429 is the caller's: each platform says its own way
 * how long to wait.
 */
export function outcomeOfStatus(status: number): FailedOutcome {
  const named = { ok: false, code: `HTTP_${status}`, scope: "account" } as const;
  if (status === 401)
    return { ...named, reason: "misconfigured", detail: "the platform refused the token" };
  if (status >= 300 && status < 400) {
    // It would carry the token to another address; and nothing here will take a message.
    const detail = "the base address answers with a redirect, which is not followed";
    return { ...named, reason: "misconfigured", detail };
  }
  if (status >= 400 && status < 500) {
    const detail = "refused by something that is not the platform";
    return { ...named, reason: "rejected", detail };
  }
  const detail = "the answer does not say what happened";
  return { ok: false, code: named.code, reason: "unknown", detail };
}
