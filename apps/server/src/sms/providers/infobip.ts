import type { RawWebhook } from "../../channels/adapter.ts";
import { secret, sender } from "../field-rule.ts";
import type { InboundSms, SmsProvider, SmsReceipt } from "../provider.ts";
import { membersOf, readJsonObject, wordOf, writtenAtOf } from "./exchange.ts";
import { meaningOfName, meaningOfInfobipReport } from "./infobip-errors.ts";
import { receiptOfFailure, receiptOfProgress } from "./meaning.ts";
import { hasToken, receiptUrl } from "./receipt-url.ts";
import { sendOverHttp, type GatewayAnswer, type GatewayRefusal } from "./send-over-http.ts";

/**
 * Infobip SMS 3 (channels §7.4). Every account has its own address. Setting `from`, secret `apiKey`. Our id is the
 * message id there too, so it comes back with each receipt; receipts carry the account's token. The sender is in
 * the field `sender`, as in Infobip's own quickstart for version 3.
 */
export const infobip: SmsProvider = {
  name: "infobip",
  defaultApiUrl: null,
  // Each send names the address for receipts. Inbound messages go to an address that a person enters.
  receiptsByHand: true,
  fields: {
    apiKey: secret(),
    from: { ...sender(), store: (from) => from.replace(/^\+(?=\d+$)/, "") },
  },
  send: sendOverHttp({
    most: { parts: 10 },
    request: (account, sms) => ({
      path: "/sms/3/messages",
      headers: { authorization: `App ${account.secrets["apiKey"] ?? ""}` },
      body: {
        messages: [
          {
            sender: account.settings["from"] ?? "",
            destinations: [{ to: sms.to, messageId: sms.id }],
            content: { text: sms.text },
            webhooks: {
              delivery: {
                url: receiptUrl(account, sms.id, { token: true }),
                intermediateReport: true,
                contentType: "application/json",
              },
            },
          },
        ],
      },
    }),
    read,
  }),
  verify: (request, _url, account) => hasToken(request, account),
  parse,
};

function read({ http, good, members }: GatewayAnswer): { id: string } | GatewayRefusal | null {
  if (!good) {
    const { name, words } = faultOf(members);
    return { meaning: meaningOfName(name, http), code: name, words };
  }
  const list = members["messages"];
  const first = membersOf(Array.isArray(list) ? list[0] : undefined);
  const status = membersOf(first["status"]);
  const name = wordOf(status["name"]);
  const group = wordOf(status["groupName"]);
  const taken = Object.entries(GROUPS).find(([word]) => word === group)?.[1];
  if (taken !== undefined && taken !== "failed") return { id: wordOf(first["messageId"]) };
  // An unlisted group is not a refusal.
  if (name === "" || (taken === undefined && group !== "")) return null;
  return { meaning: meaningOfName(name, 0), code: name, words: wordOf(status["description"]) };
}

/** A request error comes in one of two forms. */
function faultOf(answer: GatewayAnswer["members"]): { name: string; words: string } {
  const old = membersOf(membersOf(answer["requestError"])["serviceException"]);
  const name = wordOf(old["messageId"]) || wordOf(answer["errorCode"]);
  return { name, words: wordOf(old["text"]) || wordOf(answer["description"]) };
}

/** The six groups of a status. For a send version 1 answers ACCEPTED, version 3 PENDING. */
const GROUPS = {
  ACCEPTED: "sent",
  PENDING: "sent",
  DELIVERED: "delivered",
  UNDELIVERABLE: "failed",
  EXPIRED: "failed",
  REJECTED: "failed",
} satisfies Record<string, SmsReceipt["status"]>;

/** Receipts and inbound messages come to the same address, each as a list. */
function parse(request: RawWebhook): { receipts: SmsReceipt[]; inbound: InboundSms[] } {
  const results = readJsonObject(request.body)["results"];
  const list = Array.isArray(results) ? results.map(membersOf) : [];
  return {
    receipts: list.flatMap((result) => receiptOf(result)),
    inbound: list.flatMap((result) => inboundOf(result)),
  };
}

/**
 * `text` is everything that was written. `cleanText` lacks the keyword, which may be the stop word itself. An MMS
 * has its parts in `message` instead (Infobip, "Receive inbound MMS messages").
 */
function inboundOf(result: Record<string, unknown>): InboundSms[] {
  const [id, from] = [result["messageId"], result["from"]].map(wordOf);
  const text = wordOf(result["text"]) || textOfMms(result["message"]);
  if (!id || !from || !text || result["status"] !== undefined) return [];
  return [{ externalMessageId: id, from, text, ...writtenAtOf(wordOf(result["receivedAt"])) }];
}

/** The texts among the parts of an MMS, one a line. Pictures are ignored. */
function textOfMms(parts: unknown): string {
  const list = Array.isArray(parts) ? parts.map(membersOf) : [];
  return list
    .filter((part) => /^text\/plain\b/i.test(wordOf(part["contentType"])))
    .map((part) => wordOf(part["value"]))
    .filter((words) => words !== "")
    .join("\n");
}

function receiptOf(result: Record<string, unknown>): SmsReceipt[] {
  const id = wordOf(result["messageId"]);
  const state = membersOf(result["status"]);
  const group = wordOf(state["groupName"]);
  const known = Object.entries(GROUPS).find(([name]) => name === group);
  if (!known || id === "") return [];
  // "Delivered" to the operator is in the same group, but is not a delivery yet.
  const status = wordOf(state["name"]) === "DELIVERED_TO_OPERATOR" ? "sent" : known[1];
  const ids = { externalMessageId: id, correlationId: id };
  if (status !== "failed") return [receiptOfProgress(ids, status)];
  const error = membersOf(result["error"]);
  const named = wordOf(error["name"]);
  // A message that Infobip itself refused has no network error: the status says why, and "permanent" means
  // nothing.
  const own = named === "" || named === "NO_ERROR";
  const name = own ? wordOf(state["name"]) : named;
  const permanent = own ? undefined : error["permanent"];
  return [
    receiptOfFailure(ids, meaningOfInfobipReport(name, permanent, group), name || group, group),
  ];
}
