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
 * What came in over a link: a receipt (by TLV, else by its text), an inbound message, or an answer that came late.
 * `receiptIds` says what the account's receipts have in place of the id that was answered: `decimal` for hexadecimal
 * ones or the other way round; unset, what this process sent itself is known in either form. A message that names
 * what it is a receipt of is one, although some peers do not mark it as such: by TLV, or by a receipt's text when this
 * process sent what it names, for a customer can write anything.
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
    if (from === "" || text === "") return NOTHING;
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

const wordIn = (text: string, name: "stat" | "err"): string =>
  /^\w{0,20}/.exec(memberOf(text, name))?.[0] ?? "";

/** What a receipt's text has behind a name, with or without a blank between; "" when that is the next name. */
function memberOf(text: string, name: "id" | "stat" | "err"): string {
  const member = new RegExp(`\\b${name}:(?: (?!\\w+:))?(\\S{1,65})`, "i");
  return member.exec(text)?.[1] ?? "";
}

/**
 * The submit counted as lost by then: now its outcome is known. A part that was taken is no message while the
 * parts behind it never left: it failed, and so many parts are charged.
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
 * The forms in which an id may have been answered, the given one first. Where the account says which, no other: a
 * number read the other way is some other message's.
 */
function spellings(id: string, receiptIds: string | undefined): string[] {
  const hexadecimal = hexadecimalOf(id);
  const read: Readonly<Record<string, readonly string[]>> = {
    same: [id],
    decimal: [hexadecimal, hexadecimal.toLowerCase()],
    hex: [decimalOf(id)],
  };
  const all = [id, hexadecimal, hexadecimal.toLowerCase(), decimalOf(id)];
  const forms = [...(read[receiptIds ?? ""] ?? all)];
  for (const bare of forms.map((form) => form.replace(/^0+(?=.)/, ""))) forms.push(bare);
  for (const width of [8, 10, 16])
    for (const form of forms.slice(0, 3)) forms.push(form.padStart(width, "0"));
  return forms;
}

/**
 * The id that was answered as the account's receipts will have it. So it is stored: from a receipt's number nobody can
 * tell how the answer wrote it (letters large or small, filled up with zeros or not).
 */
export function reportedId(answered: string, receiptIds: string | undefined): string {
  if (receiptIds === "decimal") return decimalOf(answered);
  return receiptIds === "hex" ? hexadecimalOf(answered) : answered;
}

/** The same of a receipt's own id. */
function givenId(given: string, receiptIds: string | undefined): string {
  if (receiptIds !== "decimal" && receiptIds !== "hex") return given;
  return given.toUpperCase().replace(/^0+(?=.)/, "");
}

/**
 * An id as it was answered: ASCII, to the first octet that is none of a text, for some peers leave out the one that ends
 * it. In the text of a receipt the peer means ASCII too, whichever alphabet it says: what GSM 03.38 has in those places
 * (`§` where ASCII has `_`) stands for it.
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

/** A decimal number in hexadecimal, and the other way round; what is none stays. */
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
