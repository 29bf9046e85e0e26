import type { RawWebhook } from "../../channels/adapter.ts";
import { secret, sender } from "../field-rule.ts";
import type { SmsProvider, SmsReceipt } from "../provider.ts";
import { membersOf, readJsonObject, wordOf } from "./exchange.ts";
import { receiptOfFailure, receiptOfProgress } from "./meaning.ts";
import { hasToken } from "./receipt-url.ts";
import { sendOverHttp } from "./send-over-http.ts";
import { meaningOfUnifonicCode, meaningOfUnifonicReport } from "./unifonic-errors.ts";

/**
 * Unifonic (channels §7.5). Setting `from` (SenderID), secret `appSid`. The address for receipts is entered once
 * in Unifonic's console, with the account's token. Receipts name Unifonic's id and, if it returns it, ours.
 */
export const unifonic: SmsProvider = {
  name: "unifonic",
  defaultApiUrl: "https://el.cloud.unifonic.com",
  receiptsByHand: true,
  fields: { appSid: secret(), from: sender() },
  send: sendOverHttp({
    most: { parts: 10 },
    request: ({ settings, secrets }, sms) => ({
      path: "/rest/SMS/messages",
      body: new URLSearchParams({
        AppSid: secrets["appSid"] ?? "",
        SenderID: settings["from"] ?? "",
        Recipient: sms.to,
        Body: sms.text,
        responseType: "JSON",
        CorrelationID: sms.id,
        statusCallback: "sent",
        async: "false",
      }),
    }),
    read({ http, good, members }) {
      // Booleans come as text.
      const success = members["success"] === true || members["success"] === "true";
      if (good && success) return { id: wordOf(membersOf(members["data"])["MessageID"]) };
      const code = wordOf(members["errorCode"]);
      if (good && code === "") return null;
      return {
        meaning: meaningOfUnifonicCode(code, http),
        code,
        words: wordOf(members["message"]),
      };
    },
  }),
  verify: (request, _url, account) => hasToken(request, account),
  parse,
};

/** A receipt comes as a form, as JSON or in the query. Its names may have capitals or not. */
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
  const status = word === "delivered" || word === "sent" ? word : null;
  const ids = { externalMessageId: id, correlationId: named.get("correlationid") || null };
  if (id === "" || (!meaning && !status)) return { receipts: [], inbound: [] };
  const receipt = meaning
    ? receiptOfFailure(ids, meaning, word.toUpperCase(), word)
    : receiptOfProgress(ids, status ?? "sent");
  return { receipts: [receipt], inbound: [] };
}
