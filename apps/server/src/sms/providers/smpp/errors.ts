import {
  account,
  meaningIn,
  recipient,
  TEXT_REFUSED,
  type Meaning,
  type Meanings,
} from "../meaning.ts";

const passing = recipient("GATEWAY_UNAVAILABLE", "unreachable");

/** `command_status` of an answer, in hexadecimal (channels §7.8). */
const STATUSES = {
  "0x1": TEXT_REFUSED,
  "0x2": recipient("REJECTED"),
  "0x3": recipient("REJECTED"),
  // The link is not bound (any more): nothing was accepted.
  "0x4": account("GATEWAY_UNAVAILABLE", "unreachable"),
  "0x5": account("GATEWAY_UNAVAILABLE", "unreachable"),
  "0x8": passing,
  "0xa": account("REJECTED"),
  "0xb": recipient("INVALID_NUMBER"),
  "0xd": account("GATEWAY_AUTH"),
  "0xe": account("GATEWAY_AUTH"),
  "0xf": account("GATEWAY_AUTH"),
  "0x14": account("GATEWAY_RATE_LIMITED", "throttled"),
  "0x34": recipient("INVALID_NUMBER"),
  "0x45": passing,
  // The type or plan of the sender's number, then of the recipient's.
  "0x48": account("REJECTED"),
  "0x49": account("REJECTED"),
  "0x4a": recipient("INVALID_NUMBER"),
  "0x4b": recipient("INVALID_NUMBER"),
  "0x58": account("GATEWAY_RATE_LIMITED", "throttled"),
  // The receiver's application failed: temporarily, then permanently.
  "0x64": passing,
  "0x65": recipient("REJECTED"),
  "0x66": recipient("REJECTED"),
} satisfies Meanings;

/**
 * `stat` of a receipt, and `message_state` by its number. `err` values are each operator's own and have no meaning
 * here.
 */
const REPORTS = {
  EXPIRED: passing,
  DELETED: recipient("REJECTED"),
  UNDELIV: recipient("UNREACHABLE_NUMBER"),
  REJECTD: recipient("REJECTED"),
  // Not in the documents; some gateways use no other word.
  FAILED: recipient("REJECTED"),
} satisfies Meanings;

/** The documents' words have at most seven letters; some gateways write them out. */
const WRITTEN_OUT: Readonly<Record<string, string>> = {
  DELIVERED: "DELIVRD",
  UNDELIVERABLE: "UNDELIV",
  UNDELIVERED: "UNDELIV",
  ACCEPTED: "ACCEPTD",
  REJECTED: "REJECTD",
};

const STATES: Readonly<Record<number, string>> = {
  1: "ENROUTE",
  2: "DELIVRD",
  3: "EXPIRED",
  4: "DELETED",
  5: "UNDELIV",
  6: "ACCEPTD",
  7: "UNKNOWN",
  8: "REJECTD",
};

/** A status as SMPP documents write it. */
export const hex = (status: number): string => `0x${status.toString(16)}`;

/** The meaning of an SMSC's `command_status` for the message. */
export function meaningOfSmppStatus(status: number): Meaning {
  return meaningIn(STATUSES, hex(status), 0);
}

/** The word of a state number; "" for none. */
export function wordOfState(state: unknown): string {
  return typeof state === "number" ? (STATES[state] ?? "") : "";
}

/** The `stat` of a receipt's text, as the documents spell it. */
export function wordOfStat(stat: string): string {
  const word = stat.toUpperCase();
  return (Object.hasOwn(WRITTEN_OUT, word) ? WRITTEN_OUT[word] : undefined) ?? word;
}

/** Delivered, on its way, or why it failed; null when it tells nothing. */
export function meaningOfSmppReport(stat: string): "delivered" | "sent" | Meaning | null {
  if (stat === "DELIVRD") return "delivered";
  if (stat === "ACCEPTD" || stat === "ENROUTE") return "sent";
  return Object.hasOwn(REPORTS, stat) ? meaningIn(REPORTS, stat, 0) : null;
}
