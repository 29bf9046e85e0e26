import type { RawWebhook } from "../../../channels/adapter.ts";
import type { HttpRequest, HttpResponse } from "../../../lib/http.ts";
import { retryAfterOf } from "../../../lib/retry-after.ts";
import type {
  InboundSms,
  OutboundSms,
  SmsAccount,
  SmsLines,
  SmsOutcome,
  SmsProvider,
  SmsReceipt,
} from "../../provider.ts";
import { countSegments } from "../../segments.ts";
import {
  ask,
  overlong,
  readJsonObject,
  refusal,
  takenAs,
  unreadable,
  wordOf,
  wordsOf,
} from "../exchange.ts";
import {
  meaningIn,
  receiptOfFailure,
  receiptOfProgress,
  recipient,
  type Meaning,
} from "../meaning.ts";
import { hasToken, receiptUrl } from "../receipt-url.ts";
import { exampleAddress, FIELDS, readTexts, WORD_MEANINGS } from "./fields.ts";
import { readMatcher, valueAt } from "./matcher.ts";
import { BODY_FORMS, fill, forUrl, type Values } from "./template.ts";

const ANSWER_BYTES = 64 * 1024;

/**
 * Any gateway over HTTP (channels §7.7): a templated request, and rules to read its answer. `lang` has the
 * gateway's own values for E and A. A text that GSM-7 cannot hold is sent as A, whatever was asked for, or it
 * would arrive as question marks. Success is a 2xx that `success` matches. With an `errorCode` rule, a 2xx that
 * matches neither leaves it open whether the message was sent; without one, it is a refusal. Neither is sent
 * again. Without `messageId` our own id is used. The address is always called through the guarded client: public
 * hosts only.
 */
export const http: SmsProvider = {
  name: "http",
  // No base address: `url` is the whole address.
  defaultApiUrl: "",
  fields: FIELDS,
  addressIn: ({ url = "" }) => exampleAddress(url),
  receiptsByHand: true,
  // A gateway with a language flag chooses the encoding by it.
  forcesUcs2: tellsLanguage,
  check({ settings, secrets }) {
    const templates = `${secrets["url"]} ${secrets["body"] ?? ""}`;
    for (const name of ["to", "text"])
      if (!new RegExp(`\\{\\{\\s*${name}\\s*\\}\\}`).test(templates))
        return { field: "url", words: `{{${name}}} must be in it or in the body` };
    if (secrets["body"] !== undefined && settings["method"] === "GET")
      return { field: "body", words: "a GET has none" };
    return null;
  },
  send,
  verify: (request, _url, account) => hasToken(request, account),
  parse,
};

async function send(lines: SmsLines, account: SmsAccount, sms: OutboundSms): Promise<SmsOutcome> {
  const { settings } = account;
  const ucs2 = sms.lang === "A" && tellsLanguage(account);
  const refused = overlong(sms, { parts: Number(settings["maxParts"] ?? 99), ucs2 });
  const faulty = refused ?? faultOfRules(settings);
  if (faulty) return faulty;
  const asked = await ask(lines.guardedHttp, requestOf(account, sms));
  if ("outcome" in asked) return asked.outcome;
  const { response } = asked;
  const find = (name: string) => finding(settings[name], response.body);
  const good = response.status >= 200 && response.status <= 299;
  const success = settings["success"] === undefined || find("success") !== null;
  if (good && success) return takenAs(find("messageId") || sms.id);
  const code = find("errorCode");
  const unread = settings["errorCode"] !== undefined || !isWhole(response);
  if (good && code === null && unread) return unreadable();
  return refusal(
    { account: { secrets: pieces(account.secrets) }, sms },
    meaningOf(settings, code, response),
    code ?? `HTTP_${response.status}`,
    wordsOf(response.body).slice(0, 300).replaceAll(/\s+/g, " "),
    retryAfterOf(response),
  );
}

/**
 * An empty answer, half a document, or the beginning of a long one refuses nothing: what the rest would have said
 * is not known.
 */
function isWhole({ body, partial }: HttpResponse): boolean {
  const words = wordsOf(body).trim();
  if (partial || words === "") return false;
  if (!/^[[{]/.test(words)) return true;
  // Words in brackets are no document (`[1701] invalid number`), so it counts whether the brackets were closed.
  let open = 0;
  let quoted = false;
  for (let at = 0; at < words.length; at++) {
    const mark = words.charAt(at);
    if (mark === '"') quoted = !quoted;
    else if (quoted) at += mark === "\\" ? 1 : 0;
    else if (mark === "{" || mark === "[") open++;
    else if (mark === "}" || mark === "]") open--;
  }
  return !quoted && open === 0;
}

function tellsLanguage({ secrets }: Pick<SmsAccount, "secrets">): boolean {
  return ["url", "body"].some((name) => /\{\{\s*lang\s*\}\}/.test(secrets[name] ?? ""));
}

function requestOf(account: SmsAccount, sms: OutboundSms): HttpRequest {
  const { settings, secrets } = account;
  const unicode = sms.lang === "A" || countSegments(sms.text).encoding === "UCS-2";
  const values: Values = {
    to: sms.to,
    text: sms.text,
    from: settings["from"] ?? "",
    id: sms.id,
    lang: unicode ? (settings["langA"] ?? "A") : (settings["langE"] ?? "E"),
    receipt_url: receiptUrl(account, sms.id, { token: true }),
  };
  const template = secrets["body"];
  const form = settings["bodyForm"];
  const { contentType, escape } = BODY_FORMS[form === "json" || form === "xml" ? form : "form"];
  const given = readTexts(secrets["headers"] ?? "{}");
  const headers = new Map(typeof given === "string" ? [] : given);
  const named = [...headers.keys()].some((name) => name.toLowerCase() === "content-type");
  if (template !== undefined && !named) headers.set("content-type", contentType);
  const method = settings["method"] ?? (template === undefined ? "GET" : "POST");
  return {
    method: method === "POST" || method === "PUT" ? method : "GET",
    url: fill(secrets["url"] ?? "", values, forUrl),
    headers: Object.fromEntries(headers),
    maxResponseBytes: ANSWER_BYTES,
    ...(template !== undefined && { body: fill(template, values, escape) }),
  };
}

const ANSWER_RULES = ["success", "messageId", "errorCode"] as const;

/**
 * An account stored by an older version may have a rule that this version does not accept. Without the rule nobody
 * knows what an answer means, so nothing is sent, and the failure names the rule. Null when all rules are fine.
 */
function faultOfRules(settings: SmsAccount["settings"]): SmsOutcome | null {
  for (const name of ANSWER_RULES) {
    const rule = settings[name];
    const read = rule === undefined ? null : readMatcher(rule);
    if (typeof read !== "string") continue;
    return {
      ok: false,
      reason: "misconfigured",
      scope: "account",
      code: "RULE_NOT_USABLE",
      detail: `the rule ${name} of the SMS provider cannot be used: ${read}. Set the provider again`,
      smsCode: "GATEWAY_UNAVAILABLE",
    };
  }
  return null;
}

function finding(text: string | undefined, body: Buffer): string | null {
  const matcher = text === undefined ? "" : readMatcher(text);
  return typeof matcher === "string" ? null : matcher.find(body);
}

/** Such a gateway may refuse by its status alone. */
const NO_CODE = "no code";

function meaningOf(
  settings: SmsAccount["settings"],
  code: string | null,
  { status }: HttpResponse,
): Meaning {
  const codes = readTexts(settings["errorCodes"] ?? "{}");
  const word = code === null || typeof codes === "string" ? undefined : codes.get(code);
  // A script may answer so after it sent the message and then leads to its page: whether it sent is not known.
  if (word === undefined && status === 302) return recipient("GATEWAY_UNAVAILABLE", "unknown");
  return meaningIn(WORD_MEANINGS, word ?? NO_CODE, status);
}

/** The values within the address, the headers and the body, because a gateway quotes them one by one. */
function pieces(secrets: SmsAccount["secrets"]): Record<string, string> {
  const all: Record<string, string> = { ...secrets };
  for (const [name, text] of Object.entries(secrets)) {
    if (name === "callbackToken") continue;
    // Both as they are written and as they are decoded.
    const values = text.split(/[?&=\s"'<>:,;{}/]+/).filter((piece) => piece.length >= 4);
    for (const [index, value] of values.entries()) {
      all[`${name}${index}`] = value;
      all[`${name}${index}d`] = decoded(value);
    }
  }
  return all;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}

function parse(
  request: RawWebhook,
  account: Pick<SmsAccount, "settings">,
): { receipts: SmsReceipt[]; inbound: InboundSms[] } {
  const { settings } = account;
  const named = (name: string) => valueOf(request, settings[name] ?? "");
  const [from, words] = [named("inboundFrom"), named("inboundText")];
  if (from !== null && words !== null)
    return { receipts: [], inbound: [{ externalMessageId: "", from, text: words }] };
  const correlationId = request.query["m"] ?? null;
  const word = named("receiptStatus");
  const id = named("receiptId") ?? correlationId;
  const is = (name: string) =>
    (settings[name] ?? "")
      .split(",")
      .some((one) => one.trim().toLowerCase() === word?.toLowerCase());
  const failed = is("receiptFailed");
  if (word === null || id === null || !(failed || is("receiptDelivered")))
    return { receipts: [], inbound: [] };
  const codes = readTexts(settings["errorCodes"] ?? "{}");
  const mapped = typeof codes === "string" ? undefined : codes.get(word);
  const meaning = meaningIn(WORD_MEANINGS, mapped ?? "UNREACHABLE_NUMBER", 0);
  const ids = { externalMessageId: id, correlationId };
  const receipt = failed
    ? receiptOfFailure(ids, meaning, word.slice(0, 60), null)
    : receiptOfProgress(ids, "delivered");
  return { receipts: [receipt], inbound: [] };
}

function valueOf(request: RawWebhook, name: string): string | null {
  if (name === "") return null;
  const text = wordsOf(request.body).trim();
  const inBody =
    text.startsWith("{") || text.startsWith("[")
      ? (valueAt(request.body, name) ?? wordOf(readJsonObject(request.body)[name]))
      : new URLSearchParams(text).get(name);
  // A name without a value says nothing.
  return inBody || request.query[name] || null;
}
