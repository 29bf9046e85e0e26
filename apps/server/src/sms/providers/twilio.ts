import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { PlatformStatus, RawWebhook } from "../../channels/adapter.ts";
import { secret } from "../field-rule.ts";
import type { InboundSms, OutboundSms, SmsAccount, SmsProvider, SmsReceipt } from "../provider.ts";
import { receiptOfFailure, receiptOfProgress } from "./meaning.ts";
import { isLocal, receiptUrl } from "./receipt-url.ts";
import { sendOverHttp } from "./send-over-http.ts";
import { meaningOf } from "./twilio-errors.ts";

const DEFAULT_API = "https://api.twilio.com";

/**
 * Twilio (channels §7.2). Settings `accountSid` and `from` (a number, a sender name or a Messaging Service `MG…`),
 * secret `authToken`. Our id comes back in the query of the status callback.
 */
export const twilio: SmsProvider = {
  name: "twilio",
  defaultApiUrl: DEFAULT_API,
  fields: {
    accountSid: {
      goesTo: "settings",
      pattern: /^[A-Za-z0-9_-]{2,64}$/,
      words: "must be the account's SID (AC…)",
    },
    authToken: secret(),
    from: {
      goesTo: "settings",
      pattern: /^(\+?\d{3,15}|MG[0-9a-fA-F]{32}|(?=.*[A-Za-z])[A-Za-z0-9 &._+-]{1,11})$/,
      words:
        "must be a phone number, a Messaging Service SID (MG…) or a sender name of 1 to 11 letters",
      store: (from) => (/^\d{7,15}$/.test(from) ? `+${from}` : from),
    },
  },
  send: sendOverHttp({
    most: { characters: 1_600 },
    request: requestOf,
    read({ http, good, members: { sid, code: number, message } }) {
      if (good) return { id: typeof sid === "string" ? sid : "" };
      const code = typeof number === "number" ? String(number) : null;
      const words = typeof message === "string" ? message : "";
      return { meaning: meaningOf(code, http), code: code ?? "", words };
    },
  }),
  verify,
  parse,
};

function requestOf(account: SmsAccount, sms: OutboundSms) {
  const { accountSid = "", from = "" } = account.settings;
  const form = new URLSearchParams({ To: `+${sms.to}`, Body: sms.text });
  form.set(from.startsWith("MG") ? "MessagingServiceSid" : "From", from);
  // Twilio refuses a message (21609) whose callback address it could never reach. A home machine sends without
  // one.
  if (account.apiUrl !== DEFAULT_API || !isLocal(account.statusUrl))
    form.set("StatusCallback", receiptUrl(account, sms.id, { token: false }));
  const credentials = Buffer.from(`${accountSid}:${account.secrets["authToken"] ?? ""}`);
  return {
    path: `/2010-04-01/Accounts/${encodeURIComponent(accountSid)}/Messages.json`,
    headers: { authorization: `Basic ${credentials.toString("base64")}` },
    body: form,
  };
}

/**
 * `X-Twilio-Signature`: base64 HMAC-SHA1, keyed with the auth token, over the address as called and each form
 * field's name and value, sorted by name. Values of one name are sorted, and repeats count once. A JSON body is
 * covered by its hash in the query instead. Twilio may name the standard port or leave it out.
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
    const ids = { externalMessageId: id, correlationId: request.query["m"] ?? null };
    const code = form.get("ErrorCode") || word.toUpperCase();
    const receipt =
      status === "failed"
        ? receiptOfFailure(ids, meaningOf(code, 0), code, form.get("ErrorMessage"))
        : receiptOfProgress(ids, status);
    return { receipts: [receipt], inbound: [] };
  }
  const [from, text] = [form.get("From"), form.get("Body")];
  if (from === null || text === null) return { receipts: [], inbound: [] };
  return {
    receipts: [],
    inbound: [{ externalMessageId: id, from, text, ...wishOf(form.get("OptOutType")) }],
  };
}

/** A Messaging Service with Advanced Opt-Out says how it read the message, in any language it was taught. */
function wishOf(optOutType: string | null): Pick<InboundSms, "wish"> {
  if (optOutType === "STOP") return { wish: "stop" };
  return optOutType === "START" ? { wish: "start" } : {};
}
