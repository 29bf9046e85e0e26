import {
  account,
  meaningIn,
  recipient,
  TEXT_REFUSED,
  type Meaning,
  type Meanings,
} from "./meaning.ts";

/** The `status` of a part in the answer (channels §7.3). The HTTP status is always 200. */
const STATUSES = {
  1: account("GATEWAY_RATE_LIMITED", "throttled"),
  // Documented as temporary: nothing was sent.
  5: account("GATEWAY_UNAVAILABLE", "unreachable"),
  10: account("GATEWAY_UNAVAILABLE", "unreachable"),
  2: recipient("REJECTED"),
  // A wrong value of any parameter, which need not be the number.
  3: recipient("REJECTED"),
  12: TEXT_REFUSED,
  15: account("REJECTED"),
  22: recipient("REJECTED"),
  23: recipient("REJECTED"),
  4: account("GATEWAY_AUTH"),
  8: account("GATEWAY_AUTH"),
  11: account("GATEWAY_AUTH"),
  14: account("GATEWAY_AUTH"),
  32: account("GATEWAY_AUTH"),
  9: account("GATEWAY_CREDIT"),
  6: recipient("UNREACHABLE_NUMBER"),
  7: recipient("UNREACHABLE_NUMBER"),
  29: recipient("REJECTED"),
  33: recipient("UNREACHABLE_NUMBER"),
} satisfies Meanings;

const filtered = recipient("REJECTED");
const passing = recipient("GATEWAY_UNAVAILABLE", "unreachable");

/** The `err-code` of a receipt. */
const ERROR_CODES = {
  3: recipient("UNREACHABLE_NUMBER"),
  9: recipient("INVALID_NUMBER"),
  11: recipient("UNREACHABLE_NUMBER"),
  4: recipient("BLOCKED_BY_RECIPIENT", "opted_out"),
  1: passing,
  2: passing,
  5: passing,
  7: passing,
  8: passing,
  12: passing,
  15: passing,
  6: filtered,
  10: filtered,
  13: filtered,
  14: filtered,
  16: filtered,
  50: filtered,
  51: filtered,
  52: filtered,
  53: filtered,
  54: filtered,
} satisfies Meanings;

/** The meaning of a part's status other than 0. */
export function meaningOfVonageStatus(status: string, http: number): Meaning {
  return meaningIn(STATUSES, status, http);
}

/** The meaning of a receipt's error code. */
export function meaningOfErrorCode(code: string): Meaning {
  return meaningIn(ERROR_CODES, code, 0);
}
