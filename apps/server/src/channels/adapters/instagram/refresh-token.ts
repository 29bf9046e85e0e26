import type { Http } from "../../../lib/http.ts";
import type { ChannelAccount, FailedOutcome, RefreshedCredentials } from "../../adapter.ts";
import { readGraphAnswer } from "../meta/graph-error.ts";
import { number, textOrNull } from "../meta/json.ts";
import { messagingCodes } from "../meta/messaging-codes.ts";
import { nodeOf } from "../meta/messaging-send.ts";
import { outcomeOfGraphFailure } from "../meta/outcome.ts";
import { outcomeOfNoAnswer } from "../no-answer.ts";

/** A long-lived token lives 60 days and can be renewed from its second day on. */
export const REFRESH_AFTER_MS = 24 * 3_600_000;

/**
 * `GET /refresh_access_token` of Instagram login (channels.md §4.1): gives a token for another 60 days. As
 * documented, the address has no version and contains the token. A page's token on graph.facebook.com does not
 * end: null.
 */
export async function refreshInstagramToken(
  http: Http,
  account: ChannelAccount,
): Promise<RefreshedCredentials | FailedOutcome | null> {
  if (nodeOf(account) === "me") return null;
  const token = account.secrets["accessToken"] ?? "";
  const query = new URLSearchParams({ grant_type: "ig_refresh_token", access_token: token });
  const base = account.apiUrl.replace(/\/v\d+(\.\d+)?$/, "");
  try {
    const response = await http.request({
      method: "GET",
      url: `${base}/refresh_access_token?${query.toString()}`,
    });
    const answer = readGraphAnswer(response);
    const accessToken = textOrNull(answer?.["access_token"]);
    const seconds = number(answer?.["expires_in"]);
    if (response.status !== 200 || accessToken === null)
      return outcomeOfGraphFailure(response, token, messagingCodes);
    const expiresInMs = seconds !== null && seconds > 0 ? seconds * 1000 : null;
    return { ok: true, secrets: { accessToken }, expiresInMs };
  } catch (error) {
    return outcomeOfNoAnswer(error);
  }
}
