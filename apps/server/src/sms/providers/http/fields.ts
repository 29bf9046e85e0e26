import { countryCode, type FieldRule, type FieldRules } from "../../field-rule.ts";
import type { SmsErrorCode } from "../../provider.ts";
import { account, recipient, type Meaning } from "../meaning.ts";
import { readMatcher } from "./matcher.ts";
import { fill, templateFault, type Values } from "./template.ts";

/** The meaning of each of the contract's words, for a person who maps a gateway's codes to them. */
export const WORD_MEANINGS = {
  UNREACHABLE_NUMBER: recipient("UNREACHABLE_NUMBER"),
  INVALID_NUMBER: recipient("INVALID_NUMBER"),
  BLOCKED_BY_RECIPIENT: recipient("BLOCKED_BY_RECIPIENT", "opted_out"),
  GATEWAY_UNAVAILABLE: recipient("GATEWAY_UNAVAILABLE", "unreachable"),
  GATEWAY_TIMEOUT: recipient("GATEWAY_TIMEOUT", "unknown"),
  GATEWAY_RATE_LIMITED: account("GATEWAY_RATE_LIMITED", "throttled"),
  GATEWAY_CREDIT: account("GATEWAY_CREDIT"),
  GATEWAY_AUTH: account("GATEWAY_AUTH"),
  REJECTED: recipient("REJECTED"),
} satisfies Record<SmsErrorCode, Meaning>;

const matcher = (): FieldRule => ({
  goesTo: "settings",
  pattern: /^.{1,300}$/s,
  words: "must be json:path, json:path=value or regex:pattern",
  optional: true,
  fault: (value) => {
    const read = readMatcher(value);
    return typeof read === "string" ? read : null;
  },
});
const words = (what: string, optional: true = true): FieldRule => ({
  goesTo: "settings",
  pattern: /^[^\p{Cc}]{1,200}$/u,
  words: `must be ${what}`,
  optional,
});

/** Reads a JSON object of texts; gives a fault in words when it is something else. */
export function readTexts(value: string): Map<string, string> | string {
  try {
    const parsed: unknown = JSON.parse(value);
    if (typeof parsed === "object" && parsed !== null && !Array.isArray(parsed)) {
      const entries = Object.entries(parsed);
      const texts = entries.filter((one): one is [string, string] => typeof one[1] === "string");
      if (texts.length === entries.length && texts.length <= 100) return new Map(texts);
    }
  } catch {
    // Reported below.
  }
  return "must be a JSON object of texts";
}

/** The address, the headers and the body may hold a password, so all three are secret. */
export const FIELDS: FieldRules = {
  url: {
    goesTo: "secrets",
    pattern: /^https?:\/\/[^\s/?#{}@]+[/?][^\s]{0,2000}$/,
    words: "must be an address with {{to}}, {{text}}, {{from}}, {{id}}, {{lang}} in path or query",
    fault: (value) => templateFault(value) ?? addressFault(value),
  },
  method: {
    goesTo: "settings",
    pattern: /^(GET|POST|PUT)$/,
    words: "must be GET, POST or PUT",
    optional: true,
  },
  headers: {
    goesTo: "secrets",
    pattern: /^.{1,4000}$/s,
    words: "must be a JSON object of header names and values",
    optional: true,
    fault: headersFault,
  },
  body: {
    goesTo: "secrets",
    pattern: /^.{1,4000}$/s,
    words: "must be the body with its placeholders",
    optional: true,
    fault: templateFault,
  },
  bodyForm: {
    goesTo: "settings",
    pattern: /^(form|json|xml)$/,
    words: "must be form, json or xml: how values are put into the body",
    optional: true,
  },
  from: words("the sender"),
  langE: words("what stands for E"),
  langA: words("what stands for A"),
  success: matcher(),
  messageId: matcher(),
  errorCode: matcher(),
  errorCodes: {
    goesTo: "settings",
    pattern: /^.{1,4000}$/s,
    words: "must be a JSON object of the gateway's codes and our words",
    optional: true,
    fault: codesFault,
  },
  maxParts: { goesTo: "settings", pattern: /^[1-9]\d?$/, words: "must be 1 to 99", optional: true },
  receiptId: words("the name of the message id in a receipt"),
  receiptStatus: words("the name of the status in a receipt"),
  receiptDelivered: words("the status words for delivered, with commas between"),
  receiptFailed: words("the status words for failed, with commas between"),
  inboundFrom: words("the name of the sender's number in an inbound message"),
  inboundText: words("the name of the text in an inbound message"),
  countryCode: countryCode(),
};

const SAMPLE: Values = {
  to: "1",
  text: "1",
  from: "1",
  id: "1",
  lang: "1",
  receipt_url: "1",
};

/** The address with sample values for its placeholders. None of them may stand in the host. */
export const exampleAddress = (template: string): string => fill(template, SAMPLE, (one) => one);

function addressFault(value: string): string | null {
  return URL.canParse(exampleAddress(value)) ? null : "is not an address";
}

const FORBIDDEN = /^(host|content-length|transfer-encoding|connection|upgrade|te|trailer|expect)$/i;

function headersFault(value: string): string | null {
  const headers = readTexts(value);
  if (typeof headers === "string") return headers;
  for (const [name, text] of headers) {
    if (!/^[\w-]{1,60}$/.test(name) || FORBIDDEN.test(name)) return `${name} is not allowed`;
    if (!/^[\x20-\x7e]{0,1000}$/.test(text)) return `${name} has characters that no header takes`;
    if (text.includes("{{")) return `${name}: placeholders stand in the address and the body alone`;
  }
  return null;
}

function codesFault(value: string): string | null {
  const codes = readTexts(value);
  if (typeof codes === "string") return codes;
  const stranger = [...codes.values()].find((word) => !Object.hasOwn(WORD_MEANINGS, word));
  if (stranger === undefined) return null;
  return `${stranger} is none of ${Object.keys(WORD_MEANINGS).join(", ")}`;
}
