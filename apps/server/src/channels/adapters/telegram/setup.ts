import type { Http } from "../../../lib/http.ts";
import type { ChannelAccount, FailedOutcome, SetupFailure } from "../../adapter.ts";
import { record, textOrNull, type JsonRecord } from "../meta/json.ts";
import { outcomeOfNoAnswer } from "../no-answer.ts";
import { callBot, DEFAULT_BOT_API_URL, readBotAnswer } from "./api.ts";
import { outcomeOfTelegramFailure } from "./outcome.ts";
import { ALLOWED_UPDATES } from "./parse.ts";

const TIMEOUT_MS = 10_000;

/** True for a bot whose updates we ask for, because the platform has no way to call us. */
export const isPolled = (account: Pick<ChannelAccount, "settings">): boolean =>
  account.settings["polling"] === "true";

/**
 * Sets the bot's webhook to ours, or to none for a bot that we poll. A bot has one at most (channels.md §5.3).
 * Somebody else's is replaced when a person connects the bot, and left alone (`WEBHOOK_TAKEN`) at the hourly look.
 * Otherwise two installations, one restored from the other's backup, would take it from each other for ever.
 * A refusal after the token was proven leaves the channel in use: it sends.
 */
export async function subscribeBot(
  http: Http,
  account: ChannelAccount,
  hookUrl: string,
  takeOver: boolean,
): Promise<SetupFailure | null> {
  const refused = await checkBot(http, account);
  if (refused !== null) return refused;
  const failure = await setWebhook(http, account, hookUrl, takeOver);
  if (failure?.reason !== "rejected") return failure;
  // The token has just been proven.
  return { ...failure, detail: `${SENDS_ONLY}: ${failure.detail}`, sends: true };
}

const SENDS_ONLY = "the bot sends, but what customers write does not arrive";

async function setWebhook(
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
  // Who takes it over need not know whose it was.
  if (polled || !takeOver) {
    const current = await currentWebhook(http, account);
    if (!current.ok) return current;
    if (!takeOver && current.url !== "" && current.url !== hookUrl)
      return fault(
        "WEBHOOK_TAKEN",
        `the bot's webhook is at ${URL.parse(current.url)?.host ?? "another address"} now; connect the bot again to take it over`,
      );
    if (polled) return current.url === "" ? null : deleteWebhook(http, account);
  }
  const asked = await ask(http, account, "setWebhook", {
    url: hookUrl,
    secret_token: account.secrets["secretToken"] ?? "",
    allowed_updates: ALLOWED_UPDATES,
  });
  return asked.ok ? null : asked;
}

/** Removes our webhook. The bot may serve another channel or another program by now; their webhook stays. */
export async function unsubscribeBot(
  http: Http,
  account: ChannelAccount,
  hookUrl: string,
): Promise<FailedOutcome | null> {
  const current = await currentWebhook(http, account);
  if (!current.ok) return current;
  return current.url === hookUrl ? deleteWebhook(http, account) : null;
}

/**
 * `getMe`: the token is good. Its answer's id is not compared: a token begins with its bot's id, so Telegram's own answer
 * cannot differ, and an emulator may answer every token with one bot (channels.md §5.2 shows 987).
 */
export async function checkBot(http: Http, account: ChannelAccount): Promise<FailedOutcome | null> {
  const me = await ask(http, account, "getMe", {});
  return me.ok ? null : me;
}

async function currentWebhook(
  http: Http,
  account: ChannelAccount,
): Promise<{ ok: true; url: string } | FailedOutcome> {
  const info = await ask(http, account, "getWebhookInfo", {});
  if (!info.ok) return info;
  return { ok: true, url: textOrNull(record(info.answer["result"])["url"]) ?? "" };
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
    const answer = readBotAnswer(response);
    if (response.status === 200 && answer?.["ok"] === true) return { ok: true, answer };
    const failure = outcomeOfTelegramFailure(response, account.secrets["botToken"] ?? "", answer);
    // `getMe` has proven the token: a 404 now is a server that does not know the method.
    const unknown = response.status === 404 && method !== "getMe";
    return unknown ? { ...failure, reason: "unreachable" } : failure;
  } catch (error) {
    return outcomeOfNoAnswer(error);
  }
}

function fault(code: string, detail: string): FailedOutcome {
  return { ok: false, reason: "rejected", code, detail, scope: "account" };
}
