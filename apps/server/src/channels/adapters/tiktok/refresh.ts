import type { Http } from "../../../lib/http.ts";
import type { ChannelAccount, FailedOutcome, RefreshedCredentials } from "../../adapter.ts";
import { idOrNull, number, textOrNull } from "../meta/json.ts";
import { outcomeOfNoAnswer } from "../no-answer.ts";
import { callTikTokApp } from "./api.ts";
import { outcomeOfCall } from "./outcome.ts";

const TIMEOUT_MS = 10_000;
/** What the platform's documents say an access token holds, should an answer not say it. */
const DAY_S = 86_400;

/**
 * `POST /tt_user/oauth2/refresh_token/` (channels.md §6.1): a new access token for a day, and a refresh token in place
 * of the one that was used, which is good no more. Without a refresh token there is nothing to renew with: a refusal,
 * so that the admins hear of it while the access token still holds.
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
