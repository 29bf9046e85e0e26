import type { Http } from "../../../lib/http.ts";
import type { ChannelAccount, FailedOutcome } from "../../adapter.ts";
import { idText, record, text, type JsonRecord } from "../meta/json.ts";
import { outcomeOfNoAnswer } from "../no-answer.ts";
import { callBot, DEFAULT_BOT_API_URL, readAnswer } from "./api.ts";
import { outcomeOfFailure } from "./outcome.ts";
import { ALLOWED_UPDATES } from "./parse.ts";

const TIMEOUT_MS = 10_000;

/** True for a bot whose updates we ask for, because the platform has no way to call us. */
export const isPolled = (account: Pick<ChannelAccount, "settings">): boolean =>
  account.settings["polling"] === "true";

/**
 * Sets the bot's webhook to ours, or to none for a bot that we poll. A bot has one at most (channels.md §5.3): one
 * that somebody else set is taken over when a person connects the bot, and left alone (`WEBHOOK_TAKEN`) when we only
 * look again, or two installations would take it from each other for ever.
 */
export async function subscribeBot(
  http: Http,
  account: ChannelAccount,
  hookUrl: string,
  takeOver: boolean,
): Promise<FailedOutcome | null> {
  const polled = isPolled(account);
  if (!polled && !hookUrl.startsWith("https:") && account.apiUrl === DEFAULT_BOT_API_URL)
    return fault(
      "WEBHOOK_NEEDS_HTTPS",
      "Telegram calls https addresses only: set PARLEY_PUBLIC_URL to one, or connect the bot with polling",
    );
  const refused = await checkBot(http, account);
  if (refused !== null) return refused;
  const current = await currentWebhook(http, account);
  if (!current.ok) return current;
  if (!takeOver && !isOurs(current.url, hookUrl))
    return fault("WEBHOOK_TAKEN", "another address was set as the bot's webhook");
  if (polled) return current.url === "" ? null : deleteWebhook(http, account);
  const asked = await ask(http, account, "setWebhook", {
    url: hookUrl,
    secret_token: account.secrets["secretToken"] ?? "",
    allowed_updates: ALLOWED_UPDATES,
  });
  return asked.ok ? null : asked;
}

/** Takes our webhook away; the bot may serve another channel or another program by now, and theirs stays. */
export async function unsubscribeBot(
  http: Http,
  account: ChannelAccount,
  hookUrl: string,
): Promise<FailedOutcome | null> {
  const current = await currentWebhook(http, account);
  if (!current.ok) return current;
  return current.url === "" || !isOurs(current.url, hookUrl) ? null : deleteWebhook(http, account);
}

/** `getMe`: the token is good, and of this very bot. */
export async function checkBot(http: Http, account: ChannelAccount): Promise<FailedOutcome | null> {
  const me = await ask(http, account, "getMe", {});
  if (!me.ok) return me;
  if (idText(record(me.answer["result"])["id"]) === account.externalId) return null;
  const detail = "the token belongs to another bot";
  return { ok: false, reason: "misconfigured", code: "WRONG_BOT", detail, scope: "account" };
}

/** The same channel under another public address is ours too. */
function isOurs(url: string, hookUrl: string): boolean {
  return url === "" || url === hookUrl || url.endsWith(new URL(hookUrl).pathname);
}

async function currentWebhook(
  http: Http,
  account: ChannelAccount,
): Promise<{ ok: true; url: string } | FailedOutcome> {
  const info = await ask(http, account, "getWebhookInfo", {});
  if (!info.ok) return info;
  return { ok: true, url: text(record(info.answer["result"])["url"]) ?? "" };
}

async function deleteWebhook(http: Http, account: ChannelAccount): Promise<FailedOutcome | null> {
  const asked = await ask(http, account, "deleteWebhook", {});
  return asked.ok ? null : asked;
}

async function ask(
  http: Http,
  account: ChannelAccount,
  method: string,
  parameters: object,
): Promise<{ ok: true; answer: JsonRecord } | FailedOutcome> {
  try {
    const response = await callBot(http, account, method, parameters, { timeoutMs: TIMEOUT_MS });
    const answer = readAnswer(response);
    if (response.status === 200 && answer?.["ok"] === true) return { ok: true, answer };
    return outcomeOfFailure(response, account.secrets["botToken"] ?? "", answer);
  } catch (error) {
    return outcomeOfNoAnswer(error);
  }
}

function fault(code: string, detail: string): FailedOutcome {
  return { ok: false, reason: "rejected", code, detail, scope: "account" };
}
