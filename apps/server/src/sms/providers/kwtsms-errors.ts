import {
  account,
  meaningIn,
  recipient,
  TEXT_REFUSED,
  type Meaning,
  type Meanings,
} from "./meaning.ts";

/** kwtSMS's codes (channels §7.6). The HTTP status of a refusal says nothing. */
const CODES = {
  ERR001: account("GATEWAY_AUTH"),
  ERR002: recipient("REJECTED"),
  ERR003: account("GATEWAY_AUTH"),
  ERR004: account("GATEWAY_AUTH"),
  ERR005: account("GATEWAY_AUTH"),
  ERR024: account("GATEWAY_AUTH"),
  ERR010: account("GATEWAY_CREDIT"),
  ERR011: account("GATEWAY_CREDIT"),
  ERR006: recipient("INVALID_NUMBER"),
  ERR025: recipient("INVALID_NUMBER"),
  ERR026: recipient("UNREACHABLE_NUMBER"),
  ERR033: recipient("UNREACHABLE_NUMBER"),
  ERR007: recipient("REJECTED"),
  ERR008: account("REJECTED"),
  ERR009: TEXT_REFUSED,
  ERR012: TEXT_REFUSED,
  ERR027: TEXT_REFUSED,
  ERR031: TEXT_REFUSED,
  ERR032: TEXT_REFUSED,
  // The account's queue is full; or the number got a text less than 15 seconds ago, which happens when two
  // campaigns go to the same people at once. The campaign slows down as for any throttle (channels §9 point 7).
  ERR013: account("GATEWAY_RATE_LIMITED", "throttled"),
  ERR028: account("GATEWAY_RATE_LIMITED", "throttled"),
} satisfies Meanings;

/** Waits from kwtSMS's documents, because its answers name none. */
export const WAITS: Readonly<Record<string, number>> = { ERR028: 15_000, ERR013: 30_000 };

/** The meaning of a refusal. Every code comes with 403, so an unlisted code is not read as wrong credentials. */
export function meaningOfKwtSmsCode(code: string, http: number): Meaning {
  return meaningIn(CODES, code, code !== "" && http === 403 ? 0 : http);
}

/** The meaning of a delivery report's words: null while there is none, "delivered", or why it failed. */
export function meaningOfKwtSmsReport(words: string): "delivered" | Meaning | null {
  if (/blacklist/i.test(words)) return recipient("BLOCKED_BY_RECIPIENT", "opted_out");
  if (/expired/i.test(words)) return recipient("GATEWAY_UNAVAILABLE", "unreachable");
  if (/undeliver|not delivered|fail/i.test(words)) return recipient("UNREACHABLE_NUMBER");
  if (/reject|invalid/i.test(words)) return recipient("REJECTED");
  return /deliver|received/i.test(words) ? "delivered" : null;
}
