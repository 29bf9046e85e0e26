import type { Http } from "../../../lib/http.ts";
import type { ChannelAccount, FailedOutcome } from "../../adapter.ts";
import { outcomeOfNoAnswer } from "../no-answer.ts";
import { callTikTok } from "./api.ts";
import { outcomeOfCall } from "./outcome.ts";

const TIMEOUT_MS = 10_000;

/** Whether the token reads this account's conversations: asks for one of them (channels.md §6.2). Null: it does. */
export function checkTikTok(http: Http, account: ChannelAccount): Promise<FailedOutcome | null> {
  const business = { business_id: account.externalId, conversation_type: "SINGLE", limit: "1" };
  return ask(http, account, "/business/message/conversation/list/", { query: business });
}

/**
 * Checks the token, and enters our address at the app when a person connects it with its id (channels.md §6.4). An app
 * has one address for all its accounts, and any of our channels on that app takes the calls of all: looking again
 * every hour changes nothing there, or two installations would take it from each other for ever.
 */
export async function subscribeTikTok(
  http: Http,
  account: ChannelAccount,
  hookUrl: string,
  takeOver: boolean,
): Promise<FailedOutcome | null> {
  const refused = await checkTikTok(http, account);
  const { appId } = account.settings;
  if (refused !== null || appId === undefined || !takeOver) return refused;
  const body = {
    app_id: appId,
    secret: account.secrets["appSecret"] ?? "",
    event_type: "DIRECT_MESSAGE",
    callback_url: hookUrl,
  };
  return ask(http, account, "/business/webhook/update/", { body });
}

async function ask(
  http: Http,
  account: ChannelAccount,
  path: string,
  call: Parameters<typeof callTikTok>[3],
): Promise<FailedOutcome | null> {
  try {
    const outcome = outcomeOfCall(await callTikTok(http, account, path, call, TIMEOUT_MS), account);
    return outcome.ok ? null : outcome;
  } catch (error) {
    return outcomeOfNoAnswer(error);
  }
}
