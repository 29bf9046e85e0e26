import { timingSafeEqual } from "node:crypto";
import type { RawWebhook } from "../../channels/adapter.ts";
import type { SmsAccount } from "../provider.ts";

/**
 * The address where a gateway reports on a message. `m` is our id of it. `k` is the account's own token, for
 * gateways that do not sign: 192 random bits, stored sealed with the account.
 */
export function receiptUrl(
  account: Pick<SmsAccount, "statusUrl" | "secrets">,
  id: string | null,
  options: { readonly token: boolean },
): string {
  const url = new URL(account.statusUrl);
  if (id !== null) url.searchParams.set("m", id);
  if (options.token) url.searchParams.set("k", account.secrets["callbackToken"] ?? "");
  return url.href;
}

/** Whether a call carries the account's token. Constant time for a token of the right length. */
export function hasToken(request: RawWebhook, account: SmsAccount): boolean {
  const wanted = Buffer.from(account.secrets["callbackToken"] ?? "");
  const given = Buffer.from(request.query["k"] ?? "");
  return wanted.length >= 32 && wanted.length === given.length && timingSafeEqual(wanted, given);
}

/** The address of a home machine, which no gateway can reach. */
export function isLocal(statusUrl: string): boolean {
  return /^(localhost|127\.|10\.|192\.168\.|\[::1\])/.test(new URL(statusUrl).hostname);
}
