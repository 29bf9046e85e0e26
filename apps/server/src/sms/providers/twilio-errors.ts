import {
  account,
  meaningIn,
  recipient,
  TEXT_REFUSED,
  type Meaning,
  type Meanings,
} from "./meaning.ts";

/** Twilio's codes of calls and of receipts (channels §7.2). */
const MEANINGS = {
  // There is no such number, or none that can receive an SMS.
  21211: recipient("INVALID_NUMBER"),
  21214: recipient("INVALID_NUMBER"),
  21217: recipient("INVALID_NUMBER"),
  21612: recipient("UNREACHABLE_NUMBER"),
  21614: recipient("UNREACHABLE_NUMBER"),
  21635: recipient("UNREACHABLE_NUMBER"),
  30005: recipient("UNREACHABLE_NUMBER"),
  30006: recipient("UNREACHABLE_NUMBER"),
  // The recipient does not want it.
  21610: recipient("BLOCKED_BY_RECIPIENT", "opted_out"),
  30004: recipient("BLOCKED_BY_RECIPIENT"),
  30007: recipient("REJECTED"),
  // A temporary fault on the way; a phone that is off (30003) is one of them.
  20503: account("GATEWAY_UNAVAILABLE", "unreachable"),
  30001: recipient("GATEWAY_UNAVAILABLE", "unreachable"),
  30003: recipient("GATEWAY_UNAVAILABLE", "unreachable"),
  30008: recipient("GATEWAY_UNAVAILABLE", "unreachable"),
  30017: recipient("GATEWAY_UNAVAILABLE", "unreachable"),
  30020: recipient("GATEWAY_UNAVAILABLE", "unreachable"),
  30021: recipient("GATEWAY_UNAVAILABLE", "unreachable"),
  20429: account("GATEWAY_RATE_LIMITED", "throttled"),
  // The sender's queue is full, which passes (channels §7.2).
  21611: account("GATEWAY_UNAVAILABLE", "throttled"),
  30022: account("GATEWAY_RATE_LIMITED", "throttled"),
  63017: account("GATEWAY_RATE_LIMITED", "throttled"),
  63018: account("GATEWAY_RATE_LIMITED", "throttled"),
  // The account or its sender: nothing is sent until somebody repairs it.
  20003: account("GATEWAY_AUTH"),
  20005: account("GATEWAY_AUTH"),
  20006: account("GATEWAY_AUTH"),
  20008: account("GATEWAY_AUTH"),
  20404: account("GATEWAY_AUTH"),
  30002: account("GATEWAY_CREDIT"),
  21212: account("REJECTED"),
  21601: account("REJECTED"),
  21603: account("REJECTED"),
  21606: account("REJECTED"),
  21609: account("REJECTED"),
  21701: account("REJECTED"),
  21703: account("REJECTED"),
  30024: account("REJECTED"),
  30032: account("REJECTED"),
  30034: account("REJECTED"),
  // This text or this country.
  21408: recipient("REJECTED"),
  21602: TEXT_REFUSED,
  21604: recipient("REJECTED"),
  21608: recipient("REJECTED"),
  21617: TEXT_REFUSED,
} satisfies Meanings;

/** The meaning of a refusal: first by Twilio's code, then by the HTTP status. */
export function meaningOf(code: string | null, status: number): Meaning {
  return meaningIn(MEANINGS, code, status);
}
