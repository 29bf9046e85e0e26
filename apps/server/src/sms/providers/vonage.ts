import { httpFor } from "../../lib/check-address.ts";
import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { PlatformStatus, RawWebhook } from "../../channels/adapter.ts";
import { secret, sender } from "../field-rule.ts";
import type {
  InboundSms,
  OutboundSms,
  SmsAccount,
  SmsLines,
  SmsOutcome,
  SmsProvider,
  SmsReceipt,
} from "../provider.ts";
import { countSegments } from "../segments.ts";
import {
  ask,
  membersOf,
  overlong,
  readJsonObject,
  refusal,
  refusalOfPart,
  retryAfterOf,
  takenAs,
  unreadable,
  wordOf,
  type GatewayCall,
} from "./exchange.ts";
import { scopeOfReport } from "./meaning.ts";
import { hasToken, receiptUrl } from "./receipt-url.ts";
import { meaningOfErrorCode, meaningOfVonageStatus } from "./vonage-errors.ts";

const LONGEST = 3_200;

/**
 * Vonage SMS (channels §7.3). Settings `apiKey`, `from`, optionally `signatureMethod`; secrets `apiSecret`, optionally
 * `signatureSecret`: with it receipts must be signed, without it they must carry the account's token. Our id travels
 * as `client-ref`. Of a text in several parts each part has its own id and receipt: all ids are kept, with commas
 * between, and the first part that is told delivered counts.
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
  send,
  verify,
  parse,
};

async function send(lines: SmsLines, account: SmsAccount, sms: OutboundSms): Promise<SmsOutcome> {
  const refused = overlong(sms, { characters: LONGEST });
  if (refused) return refused;
  const unicode = sms.lang === "A" || countSegments(sms.text).encoding === "UCS-2";
  const form = new URLSearchParams({
    api_key: account.settings["apiKey"] ?? "",
    api_secret: account.secrets["apiSecret"] ?? "",
    from: account.settings["from"] ?? "",
    to: sms.to,
    text: sms.text,
    type: unicode ? "unicode" : "text",
    "client-ref": sms.id,
    "status-report-req": "1",
    callback: receiptUrl(account, null, { token: true }),
  });
  const asked = await ask(httpFor(lines, account), {
    method: "POST",
    url: `${account.apiUrl}/sms/json`,
    headers: { "content-type": "application/x-www-form-urlencoded", accept: "application/json" },
    body: form.toString(),
  });
  if ("outcome" in asked) return asked.outcome;
  const { status: http, body } = asked.response;
  const answer = readJsonObject(body)["messages"];
  const parts = Array.isArray(answer) ? answer.map(membersOf) : [];
  if (parts.length === 0) {
    if (http >= 200 && http <= 299) return unreadable();
    const wait = retryAfterOf(asked.response);
    return refusal({ account, sms }, meaningOfVonageStatus("", http), `HTTP_${http}`, "", wait);
  }
  const bad = parts.find((part) => !isTaken(part));
  if (bad === undefined) {
    const ids = parts.map((part) => wordOf(part["message-id"]));
    return takenAs(ids.every((id) => id !== "") ? ids.join(",") : "");
  }
  // Nothing says that it was refused.
  if (wordOf(bad["status"]) === "") return unreadable();
  return refuse({ account, sms }, parts, bad, http);
}

const isTaken = (part: Record<string, unknown>): boolean => wordOf(part["status"]) === "0";

/** One part that was not taken spoils the message: parts of it are no message, and are charged all the same. */
function refuse(
  call: GatewayCall,
  parts: readonly Record<string, unknown>[],
  bad: Record<string, unknown>,
  http: number,
): SmsOutcome {
  const status = wordOf(bad["status"]);
  const words = wordOf(bad["error-text"]);
  const meaning = meaningOfVonageStatus(status, http);
  const taken = parts.filter(isTaken).length;
  // "… please wait [ 250 ] and retry", in milliseconds.
  const wait = /\[\s*(\d{1,7})\s*\]/.exec(words)?.[1];
  const outcome = refusal(call, meaning, status, words, wait === undefined ? null : Number(wait));
  return refusalOfPart(outcome, taken, `${taken} of ${parts.length} parts were taken`);
}

/**
 * `sig`: over `&name=value` in the order of names, `&` and `=` of values replaced by `_`, a hash with the secret behind
 * or an HMAC with it. Our own token in the query is no part of what Vonage signs, unless it puts everything in the query.
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

/** Vonage reports as JSON, as a form or in the query, as the account is set. */
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
  if (word === "" && text !== undefined && msisdn !== "")
    return { receipts: [], inbound: [{ externalMessageId: id, from: msisdn, text }] };
  // "unknown" tells nothing.
  const known = Object.entries(STATUSES).find(([name]) => name === word);
  if (!known) return nothing;
  const [, status] = known;
  const given = rest["err-code"] ?? "";
  const code = given === "" || given === "0" ? word.toUpperCase() : given;
  // Out of time, and nothing else told: a handset that was off.
  const meaning = meaningOfErrorCode(code === "EXPIRED" ? "2" : code);
  const failed = status === "failed";
  return {
    inbound: [],
    receipts: [
      {
        externalMessageId: id,
        correlationId: rest["client-ref"] || null,
        status,
        occurredAt: null,
        errorCode: failed ? code : null,
        errorDetail: failed ? word : null,
        smsCode: failed ? meaning.smsCode : null,
        ...(failed && { scope: scopeOfReport(meaning), optedOut: meaning.reason === "opted_out" }),
      },
    ],
  };
}
