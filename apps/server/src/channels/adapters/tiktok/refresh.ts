import type { Http } from "../../../lib/http.ts";
import type { ChannelAccount, FailedOutcome, RefreshedCredentials } from "../../adapter.ts";
import { idOrNull, number, textOrNull } from "../meta/json.ts";
import { outcomeOfNoAnswer } from "../no-answer.ts";
import { callTikTokApp } from "./api.ts";
import { outcomeOfCall } from "./outcome.ts";

const TIMEOUT_MS = 10_000;
/** How long the documents say an access token lasts, in case an answer does not say it. */
const DAY_S = 86_400;

/**
 * `POST /tt_user/oauth2/refresh_token/` (channels.md §6.1): gives a new access token for a day, and a refresh
 * token that replaces the used one, which is no longer valid. Without a refresh token nothing can be renewed: that
 * is a refusal, so that the admins hear of it while the access token is still valid.
 */
export async function refreshTikTok(
  http: Http,
  account: ChannelAccount,
): Promise<RefreshedCredentials | FailedOutcome> {
  const { refreshToken, appSecret = "" } = account.secrets;
  const { appId } = account.settings;
  if (!refreshToken || appId === undefined)
    return refuse(
      "NO_REFRESH_TOKEN",
      "TikTok's access tokens end a day after they were given; connect the account with --refresh-token and --app-id to have them renewed",
    );
  try {
    const body = {
      client_id: appId,
      client_secret: appSecret,
      grant_type: "refresh_token",
      refresh_token: refreshToken,
    };
    const path = "/tt_user/oauth2/refresh_token/";
    const outcome = outcomeOfCall(
      await callTikTokApp(http, account, path, { body }, TIMEOUT_MS),
      account,
    );
    return outcome.ok ? readTokens(outcome.answer.data, account) : outcome;
  } catch (error) {
    return outcomeOfNoAnswer(error);
  }
}

function readTokens(
  data: Readonly<Record<string, unknown>>,
  account: ChannelAccount,
): RefreshedCredentials | FailedOutcome {
  const accessToken = textOrNull(data["access_token"]);
  const openId = idOrNull(data["open_id"]);
  if (accessToken === null) return refuse("NO_ACCESS_TOKEN", "the answer holds no access token");
  if (openId !== null && openId !== account.externalId)
    return refuse("WRONG_ACCOUNT", "the refresh token belongs to another account");
  const refreshToken = textOrNull(data["refresh_token"]);
  const seconds = number(data["expires_in"]) ?? DAY_S;
  return {
    ok: true,
    secrets: { accessToken, ...(refreshToken !== null && { refreshToken }) },
    expiresInMs: Math.max(seconds, 0) * 1000,
  };
}

const refuse = (code: string, detail: string): FailedOutcome => ({
  ok: false,
  reason: "rejected",
  code,
  detail,
  scope: "account",
});
