import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { PlatformStatus, RawWebhook } from "../../channels/adapter.ts";
import { HttpFailure, type Http, type HttpResponse } from "../../lib/http.ts";
import type {
  InboundSms,
  OutboundSms,
  SmsAccount,
  SmsOutcome,
  SmsProvider,
  SmsReceipt,
} from "../provider.ts";
import { withoutEcho } from "../without-echo.ts";
import { meaningOf } from "./twilio-errors.ts";

const DEFAULT_API = "https://api.twilio.com";
// Shorter than any lease and than the 20 s that a request of ours may take.
const TIMEOUT_MS = 15_000;

/**
 * Twilio (channels §7.2). Settings `accountSid` and `from` (a number, a sender name or a Messaging Service `MG…`),
 * secret `authToken`. Our id comes back in the query of the status callback.
 */
export const twilio: SmsProvider = {
  name: "twilio",
  defaultApiUrl: DEFAULT_API,
  send,
  verify,
  parse,
};

async function send(http: Http, account: SmsAccount, sms: OutboundSms): Promise<SmsOutcome> {
  const { accountSid = "", from = "" } = account.settings;
  const form = new URLSearchParams({ To: `+${sms.to}`, Body: sms.text });
  form.set(from.startsWith("MG") ? "MessagingServiceSid" : "From", from);
  const callback = callbackUrl(account, sms.id);
  if (callback !== null) form.set("StatusCallback", callback);
  const credentials = Buffer.from(`${accountSid}:${account.secrets["authToken"] ?? ""}`);
  let response: HttpResponse;
  try {
    response = await http.request({
      method: "POST",
      url: `${account.apiUrl}/2010-04-01/Accounts/${encodeURIComponent(accountSid)}/Messages.json`,
      headers: {
        authorization: `Basic ${credentials.toString("base64")}`,
        "content-type": "application/x-www-form-urlencoded",
        accept: "application/json",
      },
      body: form.toString(),
      timeoutMs: TIMEOUT_MS,
    });
  } catch (error) {
    return noAnswer(error);
  }
  const answer = readJson(response.body);
  if (response.status >= 200 && response.status <= 299) {
    const sid = answer["sid"];
    if (typeof sid === "string" && sid !== "") return { ok: true, externalId: sid };
    return failed(
      "unknown",
      "UNREADABLE_ANSWER",
      "the answer names no message",
      "GATEWAY_UNAVAILABLE",
    );
  }
  const code = typeof answer["code"] === "number" ? String(answer["code"]) : null;
  const { reason, scope, smsCode } = meaningOf(code, response.status);
  const words = typeof answer["message"] === "string" ? answer["message"] : "";
  const wait = Number(response.headers["retry-after"]);
  return {
    ok: false,
    reason,
    scope,
    smsCode,
    code: code ?? `HTTP_${response.status}`,
    detail: withoutEcho(words, sms.text).slice(0, 300),
    ...(Number.isFinite(wait) && wait > 0 && { retryAfterMs: wait * 1_000 }),
  };
}

function noAnswer(error: unknown): SmsOutcome {
  if (!(error instanceof HttpFailure)) throw error;
  const words = `no answer from the gateway (${error.kind})`;
  const code = error.kind.toUpperCase();
  if (!error.sent) return failed("unreachable", code, words, "GATEWAY_UNAVAILABLE");
  return failed(
    "unknown",
    code,
    words,
    error.kind === "timeout" ? "GATEWAY_TIMEOUT" : "GATEWAY_UNAVAILABLE",
  );
}

function failed(
  reason: "unreachable" | "unknown",
  code: string,
  detail: string,
  smsCode: "GATEWAY_UNAVAILABLE" | "GATEWAY_TIMEOUT",
): SmsOutcome {
  return { ok: false, reason, code, detail, smsCode, scope: "recipient" };
}

/** Twilio refuses a message (21609) whose callback it could never reach: on a machine at home, go without. */
function callbackUrl(account: SmsAccount, id: string): string | null {
  const url = new URL(account.statusUrl);
  const local = /^(localhost|127\.|10\.|192\.168\.|\[::1\])/.test(url.hostname);
  if (account.apiUrl === DEFAULT_API && local) return null;
  url.searchParams.set("m", id);
  return url.href;
}

function readJson(body: Buffer): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body.toString("utf8"));
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

/**
 * `X-Twilio-Signature`: base64 HMAC-SHA1, keyed with the auth token, over the address as called and each form field's
 * name and value, sorted by name; values of one name sorted, repeats once. A JSON body is covered by its hash in the
 * query instead. Twilio may or may not name the standard port.
 */
function verify(request: RawWebhook, url: string, account: SmsAccount): boolean {
  const given = Buffer.from(request.headers["x-twilio-signature"] ?? "");
  const token = account.secrets["authToken"] ?? "";
  if (token === "" || given.length === 0) return false;
  let signed = "";
  const bodyHash = request.query["bodySHA256"];
  if (bodyHash === undefined) signed = fieldsOf(request.body);
  else if (createHash("sha256").update(request.body).digest("hex") !== bodyHash) return false;
  let matches = false;
  for (const address of spellings(url)) {
    const mac = createHmac("sha1", token)
      .update(address + signed)
      .digest("base64");
    const wanted = Buffer.from(mac);
    if (wanted.length === given.length && timingSafeEqual(wanted, given)) matches = true;
  }
  return matches;
}

function fieldsOf(body: Buffer): string {
  const fields = new URLSearchParams(body.toString("utf8"));
  const names = [...new Set(fields.keys())].sort();
  return names
    .flatMap((name) => [...new Set(fields.getAll(name))].sort().map((value) => name + value))
    .join("");
}

function spellings(url: string): string[] {
  const match = /^(https?):\/\/([^/?#]+)(.*)$/s.exec(url);
  if (!match) return [url];
  const [, scheme = "", host = "", rest = ""] = match;
  const port = scheme === "https" ? "443" : "80";
  if (host.endsWith(`:${port}`))
    return [url, `${scheme}://${host.slice(0, -port.length - 1)}${rest}`];
  return /:\d+$/.test(host) ? [url] : [url, `${scheme}://${host}:${port}${rest}`];
}

const STATUSES: Readonly<Record<string, PlatformStatus>> = {
  accepted: "sent",
  scheduled: "sent",
  queued: "sent",
  sending: "sent",
  sent: "sent",
  partially_delivered: "sent",
  delivered: "delivered",
  read: "read",
  undelivered: "failed",
  failed: "failed",
  canceled: "failed",
};

function parse(request: RawWebhook): { receipts: SmsReceipt[]; inbound: InboundSms[] } {
  const form = new URLSearchParams(request.body.toString("utf8"));
  const id = form.get("MessageSid") ?? form.get("SmsSid") ?? form.get("SmsMessageSid");
  const word = form.get("MessageStatus") ?? form.get("SmsStatus") ?? "";
  if (id === null || id === "") return { receipts: [], inbound: [] };
  const status = Object.hasOwn(STATUSES, word) ? STATUSES[word] : undefined;
  if (status !== undefined) {
    const code = form.get("ErrorCode") || (status === "failed" ? word.toUpperCase() : null);
    return {
      inbound: [],
      receipts: [
        {
          externalMessageId: id,
          correlationId: request.query["m"] ?? null,
          status,
          occurredAt: null,
          errorCode: status === "failed" ? code : null,
          errorDetail: status === "failed" ? form.get("ErrorMessage") : null,
          smsCode: status === "failed" ? meaningOf(code, 0).smsCode : null,
          ...(status === "failed" && { scope: meaningOf(code, 0).scope }),
        },
      ],
    };
  }
  const [from, text] = [form.get("From"), form.get("Body")];
  if (from === null || text === null) return { receipts: [], inbound: [] };
  return {
    receipts: [],
    inbound: [{ externalMessageId: id, from: from.replaceAll(/\D/g, ""), text }],
  };
}
