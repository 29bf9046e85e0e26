import {
  account,
  meaningIn,
  recipient,
  TEXT_REFUSED,
  type Meaning,
  type Meanings,
} from "./meaning.ts";

/** Unifonic's codes, with or without their `ER-` (channels §7.5). */
const CODES = {
  401: account("GATEWAY_AUTH"),
  402: account("GATEWAY_AUTH"),
  403: account("GATEWAY_AUTH"),
  410: recipient("INVALID_NUMBER"),
  482: recipient("INVALID_NUMBER"),
  429: account("GATEWAY_RATE_LIMITED", "throttled"),
  404: account("REJECTED"),
  406: recipient("REJECTED"),
  409: recipient("REJECTED"),
  412: TEXT_REFUSED,
  415: TEXT_REFUSED,
  417: TEXT_REFUSED,
  420: TEXT_REFUSED,
  421: TEXT_REFUSED,
  422: recipient("INVALID_NUMBER"),
  440: account("REJECTED"),
  449: TEXT_REFUSED,
  460: TEXT_REFUSED,
  480: account("REJECTED"),
  481: recipient("REJECTED"),
  483: recipient("REJECTED"),
  // "Failed": documented as temporary.
  599: recipient("GATEWAY_UNAVAILABLE", "unreachable"),
} satisfies Meanings;

/** The words of a receipt. */
const REPORTS = {
  undeliverable: recipient("UNREACHABLE_NUMBER"),
  undelivered: recipient("UNREACHABLE_NUMBER"),
  failed: recipient("GATEWAY_UNAVAILABLE", "unreachable"),
  expired: recipient("GATEWAY_UNAVAILABLE", "unreachable"),
  rejected: recipient("REJECTED"),
  blocked: recipient("BLOCKED_BY_RECIPIENT"),
} satisfies Meanings;

/** The meaning of a refusal. `ER-410`, `410` and 410 are the same. */
export function meaningOfUnifonicCode(code: string, http: number): Meaning {
  return meaningIn(CODES, /\d{3}/.exec(code)?.[0] ?? code, http);
}

/** The meaning of a failed receipt; null when the word reports no failure. */
export function meaningOfUnifonicReport(word: string): Meaning | null {
  return Object.hasOwn(REPORTS, word) ? meaningIn(REPORTS, word, 0) : null;
}
