import { createHmac } from "node:crypto";
import type { Http } from "../../../lib/http.ts";
import type { AccountFault, ChannelAccount, FailedOutcome } from "../../adapter.ts";
import { outcomeOfNoAnswer } from "../no-answer.ts";
import { readGraphAnswer } from "./graph-error.ts";
import { idOrNull, type JsonRecord } from "./json.ts";
import { messagingCodes } from "./messaging-codes.ts";
import { nodeOf } from "./messaging-send.ts";
import { outcomeOfGraphFailure } from "./outcome.ts";

/** Codes about the token itself, and not about a permission that this one question needs. */
const TOKEN_CODES = new Set(["190", "102", "104", "HTTP_401"]);

/**
 * Whether the platform accepts the token, the token opens this account, and the app secret belongs to the token's
 * app (Graph checks `appsecret_proof` whenever it is given). Meta learns the verify token only when somebody
 * enters it there. Also null when a question cannot be asked here, because that is not a refusal.
 */
export async function checkMessagingAccount(
  http: Http,
  account: ChannelAccount,
): Promise<AccountFault | null> {
  const me = await ask(http, account, "GET", "/me?fields=id");
  if (!me.ok) return TOKEN_CODES.has(me.code) ? { ...me, field: "accessToken" } : null;
  return (await checkId(http, account, me.body)) ?? (await checkAppSecret(http, account));
}

/** Instagram login gives another id as one's own than the account has in calls, so both are asked for. */
async function checkId(
  http: Http,
  account: ChannelAccount,
  me: JsonRecord,
): Promise<AccountFault | null> {
  const own = idOrNull(me["id"]);
  if (own === null || own === account.externalId || nodeOf(account) === "me") return null;
  const found = await ask(http, account, "GET", `/${nodeOf(account)}?fields=id`);
  if (found.ok || found.reason !== "rejected") return null;
  const field = account.type === "INSTAGRAM" ? "accountId" : "pageId";
  const detail = `the token opens ${own} and not ${account.externalId}. Meta said: ${found.detail}`;
  return { ...found, reason: "misconfigured", scope: "account", detail, field };
}

/** Instagram login has a secret of its own beside the app's, so the proof would prove nothing there. */
async function checkAppSecret(http: Http, account: ChannelAccount): Promise<AccountFault | null> {
  if (URL.parse(account.apiUrl)?.hostname === "graph.instagram.com") return null;
  const { accessToken = "", appSecret = "" } = account.secrets;
  const proof = createHmac("sha256", appSecret).update(accessToken).digest("hex");
  const proven = await ask(http, account, "GET", `/me?fields=id&appsecret_proof=${proof}`);
  if (proven.ok || !proven.detail.includes("appsecret_proof")) return null;
  return { ...proven, reason: "misconfigured", scope: "account", field: "appSecret" };
}

/**
 * Has the account's events sent to the app (channels.md §3.2). Only a wrong token or a missing permission stops
 * the channel here: an app may have been subscribed in its own settings, and a proxy may pass sends only.
 */
export async function subscribeApp(
  http: Http,
  account: ChannelAccount,
  fields: readonly string[],
): Promise<FailedOutcome | null> {
  const query = new URLSearchParams({ subscribed_fields: fields.join(",") });
  const path = `/${nodeOf(account)}/subscribed_apps?${query.toString()}`;
  const failure = await call(http, account, "POST", path);
  return failure?.reason === "rejected" ? null : failure;
}

/** Ends the calls of this account to the app. Null: done. */
export function unsubscribeApp(http: Http, account: ChannelAccount): Promise<FailedOutcome | null> {
  return call(http, account, "DELETE", `/${nodeOf(account)}/subscribed_apps`);
}

async function call(
  http: Http,
  account: ChannelAccount,
  method: "POST" | "DELETE",
  path: string,
): Promise<FailedOutcome | null> {
  const answer = await ask(http, account, method, path);
  return answer.ok ? null : answer;
}

async function ask(
  http: Http,
  account: ChannelAccount,
  method: "GET" | "POST" | "DELETE",
  path: string,
): Promise<{ readonly ok: true; readonly body: JsonRecord } | FailedOutcome> {
  const token = account.secrets["accessToken"] ?? "";
  try {
    const response = await http.request({
      method,
      url: `${account.apiUrl}${path}`,
      headers: { authorization: `Bearer ${token}` },
    });
    return response.status >= 200 && response.status < 300
      ? { ok: true, body: readGraphAnswer(response) ?? {} }
      : outcomeOfGraphFailure(response, token, messagingCodes);
  } catch (error) {
    return outcomeOfNoAnswer(error);
  }
}
