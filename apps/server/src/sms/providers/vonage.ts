import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { PlatformStatus, RawWebhook } from "../../channels/adapter.ts";
import { secret, sender } from "../field-rule.ts";
import type { InboundSms, OutboundSms, SmsAccount, SmsProvider, SmsReceipt } from "../provider.ts";
import { countSegments } from "../segments.ts";
import { membersOf, readJsonObject, wordOf, writtenAtOf } from "./exchange.ts";
import { receiptOfFailure, receiptOfProgress } from "./meaning.ts";
import { hasToken, receiptUrl } from "./receipt-url.ts";
import { sendOverHttp, type GatewayAnswer, type GatewayRefusal } from "./send-over-http.ts";
import { meaningOfErrorCode, meaningOfVonageStatus } from "./vonage-errors.ts";

/**
 * Vonage SMS (channels §7.3). Settings `apiKey`, `from`, optionally `signatureMethod`; secrets `apiSecret`,
 * optionally `signatureSecret`: with it receipts must be signed, without it they must carry the account's token.
 * Our id travels as `client-ref`. Each part of a text has its own id and receipt. All ids are kept, separated by
 * commas, and the first part that is reported delivered counts.
 */
export const vonage: SmsProvider = {
  name: "vonage",
  defaultApiUrl: "https://rest.nexmo.com",
  receiptsByHand: true,
  forcesUcs2: () => true,
  fields: {
    apiKey: { goesTo: "settings", pattern: /^\w{1,64}$/, words: "must be the account's API key" },
    apiSecret: secret(),
    from: { ...sender(), store: (from) => from.replace(/^\+(?=\d+$)/, "") },
    signatureSecret: secret({ optional: true }),
    signatureMethod: {
      goesTo: "settings",
      pattern: /^(md5hash|md5|sha1|sha256|sha512)$/,
      words: "must be md5hash, md5, sha1, sha256 or sha512",
      optional: true,
    },
  },
  send: sendOverHttp({
    most: { characters: 3_200 },
    request: (account, sms) => ({
      path: "/sms/json",
      body: new URLSearchParams({
        api_key: account.settings["apiKey"] ?? "",
        api_secret: account.secrets["apiSecret"] ?? "",
        from: account.settings["from"] ?? "",
        to: sms.to,
        text: sms.text,
        type: forcesUnicode(sms) ? "unicode" : "text",
        "client-ref": sms.id,
        "status-report-req": "1",
        callback: receiptUrl(account, null, { token: true }),
      }),
    }),
    read,
  }),
  verify,
  parse,
};

const forcesUnicode = ({ lang, text }: OutboundSms): boolean =>
  lang === "A" || countSegments(text).encoding === "UCS-2";

function read({ http, good, members }: GatewayAnswer): { id: string } | GatewayRefusal | null {
  const answer = members["messages"];
  const parts = Array.isArray(answer) ? answer.map(membersOf) : [];
  if (parts.length === 0)
    return good ? null : { meaning: meaningOfVonageStatus("", http), code: "", words: "" };
  const bad = parts.find((part) => !isTaken(part));
  if (bad === undefined) {
    const ids = parts.map((part) => wordOf(part["message-id"]));
    return { id: ids.every((id) => id !== "") ? ids.join(",") : "" };
  }
  const status = wordOf(bad["status"]);
  // Nothing says that it was refused.
  if (status === "") return null;
  const words = wordOf(bad["error-text"]);
  const taken = parts.filter(isTaken).length;
  // "… please wait [ 250 ] and retry", in milliseconds.
  const wait = /\[\s*(\d{1,7})\s*\]/.exec(words)?.[1];
  return {
    meaning: meaningOfVonageStatus(status, http),
    code: status,
    words,
    ...(wait !== undefined && { waitMs: Number(wait) }),
    // One refused part spoils the message: the other parts are no message, but are charged all the same.
    parts: { taken, words: `${taken} of ${parts.length} parts were taken` },
  };
}

const isTaken = (part: Record<string, unknown>): boolean => wordOf(part["status"]) === "0";

/**
 * `sig`: over `&name=value` in the order of names, with `&` and `=` in values replaced by `_`: a hash with the
 * secret appended, or an HMAC with it. Vonage does not sign our own token in the query, unless it puts everything
 * in the query.
 */
function verify(request: RawWebhook, _url: string, account: SmsAccount): boolean {
  const key = account.secrets["signatureSecret"];
  if (key === undefined) return hasToken(request, account);
  const all = parametersOf(request);
  const { k: _, ...own } = all;
  const given = Buffer.from((all["sig"] ?? "").toLowerCase());
  const method = account.settings["signatureMethod"] ?? "md5hash";
  let matches = false;
  for (const parameters of [own, all]) {
    const wanted = Buffer.from(signatureOf(parameters, key, method));
    if (wanted.length === given.length && timingSafeEqual(wanted, given)) matches = true;
  }
  return matches;
}

function signatureOf(
  parameters: Readonly<Record<string, string>>,
  key: string,
  method: string,
): string {
  let text = "";
  for (const name of Object.keys(parameters).sort()) {
    if (name === "sig") continue;
    text += `&${name}=${(parameters[name] ?? "").replaceAll(/[&=]/g, "_")}`;
  }
  if (method !== "md5hash") return createHmac(method, key).update(text).digest("hex");
  return createHash("md5")
    .update(text + key)
    .digest("hex");
}

/** Vonage reports as JSON, as a form or in the query, depending on the account's settings. */
function parametersOf(request: RawWebhook): Record<string, string> {
  const text = request.body.toString("utf8");
  if (text.trim() === "") return { ...request.query };
  if (!text.trimStart().startsWith("{")) return Object.fromEntries(new URLSearchParams(text));
  return Object.fromEntries(
    Object.entries(readJsonObject(request.body)).map(([name, value]) => [name, wordOf(value)]),
  );
}

const STATUSES = {
  accepted: "sent",
  buffered: "sent",
  delivered: "delivered",
  expired: "failed",
  failed: "failed",
  rejected: "failed",
} satisfies Record<string, PlatformStatus>;

function parse(request: RawWebhook): { receipts: SmsReceipt[]; inbound: InboundSms[] } {
  const { messageId: id = "", status: word = "", ...rest } = parametersOf(request);
  const nothing = { receipts: [], inbound: [] };
  if (id === "") return nothing;
  const { msisdn = "", text } = rest;
  // Vonage sends a long message in parts. A part is no message: its words may end a longer sentence.
  if (Number(rest["concat-total"] ?? 1) > 1) return nothing;
  if (word === "" && text !== undefined && msisdn !== "")
    return {
      receipts: [],
      inbound: [
        {
          externalMessageId: id,
          from: msisdn,
          text,
          ...writtenAtOf(utcOf(rest["message-timestamp"])),
        },
      ],
    };
  // "unknown" says nothing.
  const known = Object.entries(STATUSES).find(([name]) => name === word);
  if (!known) return nothing;
  const [, status] = known;
  const ids = { externalMessageId: id, correlationId: rest["client-ref"] || null };
  if (status !== "failed") return { receipts: [receiptOfProgress(ids, status)], inbound: [] };
  const given = rest["err-code"] ?? "";
  const code = given === "" || given === "0" ? word.toUpperCase() : given;
  // It expired, and nothing else is known: the phone was off.
  const meaning = meaningOfErrorCode(code === "EXPIRED" ? "2" : code);
  return { receipts: [receiptOfFailure(ids, meaning, code, word)], inbound: [] };
}

/** `2020-01-01 12:00:00`, with or without `+0000`, is of UTC. */
const utcOf = (timestamp = ""): string => timestamp.replace(" ", "T").replace(/( \+0000)?$/, "Z");
