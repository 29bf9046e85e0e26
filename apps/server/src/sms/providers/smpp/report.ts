import type { SmppEvent } from "../../../lib/smpp/link.ts";
import type { InboundSms, SmsReceipt } from "../../provider.ts";
import { receiptOfFailure, receiptOfProgress, recipient } from "../meaning.ts";
import {
  hex,
  meaningOfSmppReport,
  meaningOfSmppStatus,
  wordOfStat,
  wordOfState,
} from "./errors.ts";

const NOTHING = { receipts: [], inbound: [] };

/**
 * Reads what came over a link: a receipt (by TLV, else by its text), an inbound message, or a late answer.
 * `receiptIds` says how the account's receipts write the id that was answered: `decimal` for hexadecimal ids, or
 * the reverse. Unset: ids that this process sent are known in either form. Some peers do not mark receipts as
 * such. So a message also counts as a receipt when a TLV names the message it is about, or when its text does and
 * this process sent that message; the text alone is not enough, because a customer can write anything.
 */
export function reportOf(
  event: SmppEvent,
  receiptIds: string | undefined,
): { receipts: SmsReceipt[]; inbound: InboundSms[] } {
  if (event.kind === "late") return { receipts: lateAnswer(event, receiptIds), inbound: [] };
  const { pdu, ourId } = event;
  const text = textOf(pdu["short_message"]) || textOf(pdu["message_payload"]);
  const from = textOf(pdu["source_addr"]);
  const named = idOf(textOf(pdu["receipted_message_id"]));
  const kind = Number(pdu["esm_class"] ?? 0) & 0x3c;
  const given = named || idOf(memberOf(text, "id"));
  const known = spellings(given, receiptIds).find((id) => ourId(id) !== null);
  const unmarked = known !== undefined && /^\s*id:.*\bstat:/is.test(text);
  if (kind === 0 && named === "" && !unmarked) {
    if (from === "" || text === "" || isPart(pdu)) return NOTHING;
    // Type of number 1 is international, 2 national; most gateways say neither.
    const ton = Number(pdu["source_addr_ton"] ?? 0);
    const national = ton === 2;
    const sender = ton === 1 ? `+${from.replace(/^(\+|00)/, "")}` : from;
    return {
      receipts: [],
      inbound: [{ externalMessageId: "", from: sender, text, ...(national && { national }) }],
    };
  }
  if (kind !== 0x04 && kind !== 0) return NOTHING;
  const stat = wordOfState(pdu["message_state"]) || wordOfStat(wordIn(text, "stat"));
  const meaning = meaningOfSmppReport(stat);
  if (given === "" || meaning === null) return NOTHING;
  const externalMessageId =
    known === undefined ? givenId(given, receiptIds) : reportedId(known, receiptIds);
  const correlationId = known === undefined ? null : ourId(known);
  const ids = { externalMessageId, correlationId };
  const receiptOf = (receipt: SmsReceipt) => ({ receipts: [receipt], inbound: [] });
  if (meaning === "delivered" || meaning === "sent")
    return receiptOf(receiptOfProgress(ids, meaning));
  const err = wordIn(text, "err");
  return receiptOf(
    receiptOfFailure(ids, meaning, /^0*$/.test(err) ? stat : `${stat} ${err}`, null),
  );
}

/**
 * Whether a message is one of several parts, by a header of its text (GSM 03.40: 0 with a reference of one octet, 8
 * with two) or by its TLVs. A part is no message: one that is a stop word may end a longer sentence, and a stop word
 * alone never takes two.
 */
function isPart(pdu: Readonly<Record<string, unknown>>): boolean {
  if (Number(pdu["sar_total_segments"] ?? 1) > 1) return true;
  return [pdu["short_message"], pdu["message_payload"]].flatMap(headersOf).some((header) => {
    const total = header[0] === 0x00 ? header[3] : header[0] === 0x08 ? header[4] : 1;
    return (total ?? 1) > 1;
  });
}

function headersOf(value: unknown): Buffer[] {
  const udh = typeof value === "object" && value !== null && "udh" in value ? value.udh : [];
  return Array.isArray(udh) ? udh.filter((one) => Buffer.isBuffer(one)) : [];
}

const wordIn = (text: string, name: "stat" | "err"): string =>
  /^\w{0,20}/.exec(memberOf(text, name))?.[0] ?? "";

/** The value after a name in a receipt's text, with or without a blank between; "" when the next name follows. */
function memberOf(text: string, name: "id" | "stat" | "err"): string {
  const member = new RegExp(`\\b${name}:(?: (?!\\w+:))?(\\S{1,65})`, "i");
  return member.exec(text)?.[1] ?? "";
}

/**
 * A late answer to a submit that was counted as lost. An accepted part is not a message as long as the parts after
 * it were never sent: the message failed, and the accepted parts are charged.
 */
function lateAnswer(
  event: Extract<SmppEvent, { kind: "late" }>,
  receiptIds: string | undefined,
): SmsReceipt[] {
  const { id, part, status, messageId } = event;
  const failed = { externalMessageId: `late-${id}`, correlationId: id };
  if (status !== 0) {
    const refused = { partsTaken: part.index };
    return [
      { ...receiptOfFailure(failed, meaningOfSmppStatus(status), hex(status), null), refused },
    ];
  }
  if (part.index < part.total - 1) {
    const refused = { partsTaken: part.index + 1 };
    return [
      { ...receiptOfFailure(failed, recipient("GATEWAY_TIMEOUT"), "TIMEOUT", null), refused },
    ];
  }
  if (messageId === "") return [];
  return [
    receiptOfProgress(
      { externalMessageId: reportedId(messageId, receiptIds), correlationId: id },
      "sent",
    ),
  ];
}

/**
 * The forms in which an id may have been answered, the given one first. When the account says which, there is only
 * that one: read the other way, the number is another message's.
 */
function spellings(id: string, receiptIds: string | undefined): string[] {
  const hexadecimal = hexadecimalOf(id);
  const read: Readonly<Record<string, readonly string[]>> = {
    same: [id],
    decimal: [hexadecimal, hexadecimal.toLowerCase()],
    hex: [decimalOf(id)],
  };
  const all = [id, hexadecimal, hexadecimal.toLowerCase(), decimalOf(id)];
  // With other zeros in front it is still this number; read in the other base it may be another message's.
  return (read[receiptIds ?? ""] ?? all).flatMap((form) => {
    const bare = form.replace(/^0+(?=.)/, "");
    return [form, bare, ...[8, 10, 16].map((width) => bare.padStart(width, "0"))];
  });
}

/**
 * The answered id in the form that the account's receipts have, which is how it is stored. A receipt's number does
 * not show how the answer wrote the id (upper or lower case, with or without leading zeros).
 */
export function reportedId(answered: string, receiptIds: string | undefined): string {
  if (receiptIds === "decimal") return decimalOf(answered);
  return receiptIds === "hex" ? hexadecimalOf(answered) : answered;
}

/** The id of a receipt, in the same form. */
function givenId(given: string, receiptIds: string | undefined): string {
  if (receiptIds !== "decimal" && receiptIds !== "hex") return given;
  return given.toUpperCase().replace(/^0+(?=.)/, "");
}

/**
 * An id as it was answered: ASCII, up to the first octet that no text has, because some peers leave out the octet
 * that ends it. In the text of a receipt the peer means ASCII too, whichever alphabet it names, so GSM 03.38's
 * characters (`§` where ASCII has `_`) are turned back.
 */
function idOf(text: string): string {
  const end = Array.from(text).findIndex((one) => one < " ");
  const id = end < 0 ? text : text.slice(0, end);
  return id.replaceAll(/[^\x20-\x7e]/g, (one) => AS_ASCII[one] ?? one);
}
const AS_ASCII: Readonly<Record<string, string>> = {
  "¤": "$",
  "¡": "@",
  Ä: "[",
  Ö: "\\",
  Ñ: "]",
  Ü: "^",
  "§": "_",
  "¿": "`",
  ä: "{",
  ö: "|",
  ñ: "}",
  ü: "~",
};

/** Writes a decimal number in hexadecimal, or the reverse. Anything else stays. */
const hexadecimalOf = (id: string): string =>
  /^\d{1,20}$/.test(id) ? BigInt(id).toString(16).toUpperCase() : id;
const decimalOf = (id: string): string =>
  /^[0-9a-f]{1,16}$/i.test(id) ? BigInt(`0x${id}`).toString(10) : id;

function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (Buffer.isBuffer(value)) return value.toString("latin1");
  if (typeof value === "object" && value !== null && "message" in value)
    return textOf(value.message);
  return "";
}
