import { httpFor } from "../../lib/check-address.ts";
import type { RawWebhook } from "../../channels/adapter.ts";
import { secret, sender } from "../field-rule.ts";
import type {
  OutboundSms,
  SmsAccount,
  SmsLines,
  SmsOutcome,
  SmsProvider,
  SmsReceipt,
} from "../provider.ts";
import {
  ask,
  membersOf,
  overlong,
  readJsonObject,
  refusal,
  retryAfterOf,
  takenAs,
  unreadable,
  wordOf,
} from "./exchange.ts";
import { scopeOfReport } from "./meaning.ts";
import { hasToken } from "./receipt-url.ts";
import { meaningOfUnifonicCode, meaningOfUnifonicReport } from "./unifonic-errors.ts";

const MOST_PARTS = 10;

/**
 * Unifonic (channels §7.5). Setting `from` (SenderID), secret `appSid`. The address of receipts is entered once in
 * Unifonic's console, with the account's token; receipts name Unifonic's id and, where it gives it back, ours.
 */
export const unifonic: SmsProvider = {
  name: "unifonic",
  defaultApiUrl: "https://el.cloud.unifonic.com",
  receiptsByHand: true,
  fields: { appSid: secret(), from: sender() },
  send,
  verify: (request, _url, account) => hasToken(request, account),
  parse,
};

async function send(lines: SmsLines, account: SmsAccount, sms: OutboundSms): Promise<SmsOutcome> {
  const refused = overlong(sms, { parts: MOST_PARTS });
  if (refused) return refused;
  const form = new URLSearchParams({
    AppSid: account.secrets["appSid"] ?? "",
    SenderID: account.settings["from"] ?? "",
    Recipient: sms.to,
    Body: sms.text,
    responseType: "JSON",
    CorrelationID: sms.id,
    statusCallback: "sent",
    async: "false",
  });
  const asked = await ask(httpFor(lines, account), {
    method: "POST",
    url: `${account.apiUrl}/rest/SMS/messages`,
    headers: { "content-type": "application/x-www-form-urlencoded", accept: "application/json" },
    body: form.toString(),
  });
  if ("outcome" in asked) return asked.outcome;
  const { status: http, body } = asked.response;
  const answer = readJsonObject(body);
  const good = http >= 200 && http <= 299;
  // Booleans come as text.
  const success = answer["success"] === true || answer["success"] === "true";
  if (good && success) {
    const id = wordOf(membersOf(answer["data"])["MessageID"]);
    return takenAs(id);
  }
  const code = wordOf(answer["errorCode"]);
  if (good && code === "") return unreadable();
  const wait = retryAfterOf(asked.response);
  return refusal(
    { account, sms },
    meaningOfUnifonicCode(code, http),
    code || `HTTP_${http}`,
    wordOf(answer["message"]),
    wait,
  );
}

/** A receipt comes as a form, as JSON or in the query; names are spelt with and without capitals. */
function parse(request: RawWebhook): { receipts: SmsReceipt[]; inbound: [] } {
  const text = request.body.toString("utf8").trim();
  const given: Record<string, unknown> = text.startsWith("{")
    ? readJsonObject(request.body)
    : Object.fromEntries(new URLSearchParams(text));
  const named = new Map(
    Object.entries({ ...request.query, ...given }).map(([name, value]) => [
      name.toLowerCase(),
      wordOf(value),
    ]),
  );
  const id = named.get("messageid") ?? "";
  const word = (named.get("dlr") ?? named.get("status") ?? "").toLowerCase();
  const meaning = meaningOfUnifonicReport(word);
  const delivered = word === "delivered";
  if (id === "" || (!delivered && !meaning && word !== "sent"))
    return { receipts: [], inbound: [] };
  return {
    inbound: [],
    receipts: [
      {
        externalMessageId: id,
        correlationId: named.get("correlationid") || null,
        status: meaning ? "failed" : delivered ? "delivered" : "sent",
        occurredAt: null,
        errorCode: meaning ? word.toUpperCase() : null,
        errorDetail: meaning ? word : null,
        smsCode: meaning?.smsCode ?? null,
        ...(meaning && { scope: scopeOfReport(meaning) }),
      },
    ],
  };
}
