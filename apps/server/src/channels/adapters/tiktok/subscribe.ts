import type { Http, HttpResponse } from "../../../lib/http.ts";
import type { AccountFault, ChannelAccount, FailedOutcome } from "../../adapter.ts";
import { textOrNull } from "../meta/json.ts";
import { outcomeOfNoAnswer } from "../no-answer.ts";
import { callTikTok, callTikTokApp } from "./api.ts";
import { outcomeOfCall, type CallOutcome } from "./outcome.ts";

const TIMEOUT_MS = 10_000;
const EVENTS = "DIRECT_MESSAGE";

/**
 * Whether the token reads this account's conversations (asks for one of them, channels.md §6.2), and whether app
 * id and app secret belong together when both are given. Null: they do.
 */
export async function checkTikTok(
  http: Http,
  account: ChannelAccount,
): Promise<AccountFault | null> {
  const refused = await checkTikTokToken(http, account);
  const { appId } = account.settings;
  if (refused !== null) return refused;
  if (appId === undefined) return null;
  const app = await currentAddress(http, account, appId);
  if (app.ok || !NOT_THEIRS.has(app.code)) return null;
  return { ...app, reason: "misconfigured", field: "appSecret", orField: "appId" };
}

/** No permission, or a wrong parameter: the secret is not the app's. */
const NOT_THEIRS = new Set(["40001", "40002", "40007"]);
/** The token is good, and opens another account. */
const NO_PERMISSION = "40001";

async function checkTikTokToken(http: Http, account: ChannelAccount): Promise<AccountFault | null> {
  const business = { business_id: account.externalId, conversation_type: "SINGLE", limit: "1" };
  const path = "/business/message/conversation/list/";
  const fault = failureOf(
    await ask(account, () => callTikTok(http, account, path, { query: business }, TIMEOUT_MS)),
  );
  if (fault?.code === NO_PERMISSION)
    return { ...fault, reason: "misconfigured", field: "businessId" };
  // The question is refused, and not the account: what answers may be an emulator or a proxy that passes only sends. A send
  // says what is wrong with the account.
  return fault?.reason === "rejected" ? { ...fault, reason: "unreachable" } : fault;
}

/**
 * Checks the token, and enters our address at the app when a person connects it with its id (channels.md §6.4). An
 * app has one address for all its accounts, and any of our channels on that app receives the calls of all. So the
 * hourly look leaves an existing address: two installations would take it from each other for ever. When there is
 * none (the channel that it named was disconnected), it enters ours.
 */
export async function subscribeTikTok(
  http: Http,
  account: ChannelAccount,
  hookUrl: string,
  takeOver: boolean,
): Promise<FailedOutcome | null> {
  const refused = await checkTikTokToken(http, account);
  const { appId } = account.settings;
  if (refused !== null || appId === undefined) return refused;
  if (!takeOver) {
    const current = await currentAddress(http, account, appId);
    if (!current.ok) return current;
    if (current.url !== "") return null;
  }
  const body = { ...appOf(account, appId), callback_url: hookUrl };
  return change(http, account, "/business/webhook/update/", body);
}

/** Removes our address from the app. An address that another channel or program entered since then stays. */
export async function unsubscribeTikTok(
  http: Http,
  account: ChannelAccount,
  hookUrl: string,
): Promise<FailedOutcome | null> {
  const { appId } = account.settings;
  if (appId === undefined) return null;
  const current = await currentAddress(http, account, appId);
  if (!current.ok) return current;
  if (current.url !== hookUrl) return null;
  return change(http, account, "/business/webhook/delete/", appOf(account, appId));
}

const appOf = (account: ChannelAccount, appId: string) => ({
  app_id: appId,
  secret: account.secrets["appSecret"] ?? "",
  event_type: EVENTS,
});

/** The app's address; empty when none is entered, in which case the answer leaves it out. */
async function currentAddress(
  http: Http,
  account: ChannelAccount,
  appId: string,
): Promise<{ readonly ok: true; readonly url: string } | FailedOutcome> {
  const query = appOf(account, appId);
  const path = "/business/webhook/list/";
  const outcome = await ask(account, () =>
    callTikTokApp(http, account, path, { query }, TIMEOUT_MS),
  );
  if (!outcome.ok) return outcome;
  return { ok: true, url: textOrNull(outcome.answer.data["callback_url"]) ?? "" };
}

async function change(
  http: Http,
  account: ChannelAccount,
  path: string,
  body: object,
): Promise<FailedOutcome | null> {
  return failureOf(
    await ask(account, () => callTikTokApp(http, account, path, { body }, TIMEOUT_MS)),
  );
}

const failureOf = (outcome: CallOutcome): FailedOutcome | null => (outcome.ok ? null : outcome);

async function ask(
  account: ChannelAccount,
  call: () => Promise<HttpResponse>,
): Promise<CallOutcome> {
  try {
    return outcomeOfCall(await call(), account);
  } catch (error) {
    return outcomeOfNoAnswer(error);
  }
}
