import {
  account,
  meaningIn,
  recipient,
  TEXT_REFUSED,
  type Meaning,
  type Meanings,
} from "./meaning.ts";

const passing = recipient("GATEWAY_UNAVAILABLE", "unreachable");

/** Infobip's names for a status in the answer, for a request error, and for an error in a receipt (channels §7.4). */
const NAMES = {
  REJECTED_NETWORK: recipient("UNREACHABLE_NUMBER"),
  REJECTED_PREFIX_MISSING: recipient("INVALID_NUMBER"),
  REJECTED_DND: recipient("BLOCKED_BY_RECIPIENT"),
  REJECTED_SOURCE: account("REJECTED"),
  REJECTED_NOT_ENOUGH_CREDITS: account("GATEWAY_CREDIT"),
  REJECTED_PREPAID_PACKAGE_EXPIRED: account("GATEWAY_CREDIT"),
  REJECTED_SENDER: account("REJECTED"),
  REJECTED_DESTINATION: recipient("INVALID_NUMBER"),
  REJECTED_DESTINATION_NOT_REGISTERED: recipient("REJECTED"),
  REJECTED_ROUTE_NOT_AVAILABLE: recipient("UNREACHABLE_NUMBER"),
  REJECTED_FLOODING_FILTER: recipient("GATEWAY_RATE_LIMITED"),
  REJECTED_SYSTEM_ERROR: passing,
  REJECTED_MESSAGE_TOO_LONG: TEXT_REFUSED,
  UNAUTHORIZED: account("GATEWAY_AUTH"),
  FORBIDDEN: account("GATEWAY_AUTH"),
  TOO_MANY_REQUESTS: account("GATEWAY_RATE_LIMITED", "throttled"),
  EC_UNKNOWN_SUBSCRIBER: recipient("INVALID_NUMBER"),
  EC_INVALID_DESTINATION_ADDRESS: recipient("INVALID_NUMBER"),
  EC_ABSENT_SUBSCRIBER: passing,
  EC_ABSENT_SUBSCRIBER_SM: passing,
  EC_SUBSCRIBER_BUSY_FOR_MT_SMS: passing,
  EC_BLACKLISTED_DESTINATIONADDRESS: recipient("BLOCKED_BY_RECIPIENT", "opted_out"),
} satisfies Meanings;

/** The meaning of a refusal in the answer. */
export function meaningOfName(name: string, http: number): Meaning {
  return meaningIn(NAMES, name, http);
}

/**
 * The meaning of a failure in a receipt: by its error's name, else by the flag `permanent`, else by the status
 * group.
 */
export function meaningOfInfobipReport(name: string, permanent: unknown, group: string): Meaning {
  if (Object.hasOwn(NAMES, name)) return meaningIn(NAMES, name, 0);
  if (permanent === true) return recipient("UNREACHABLE_NUMBER");
  if (permanent === false || group === "EXPIRED") return passing;
  return recipient(group === "UNDELIVERABLE" ? "UNREACHABLE_NUMBER" : "REJECTED");
}
