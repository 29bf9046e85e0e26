import type { Http } from "../../../lib/http.ts";
import type { ChannelAccount, FailedOutcome } from "../../adapter.ts";
import { outcomeOfNoAnswer } from "../no-answer.ts";
import { messagingCodes } from "./messaging-codes.ts";
import { nodeOf } from "./messaging-send.ts";
import { outcomeOfGraphFailure } from "./outcome.ts";

/** Codes that speak of the token itself, and not of a permission that this one question needs. */
const TOKEN_CODES = new Set(["190", "102", "104", "HTTP_401"]);

/** Whether the platform takes the token. A question that cannot be asked here is no refusal: null then too. */
export async function checkToken(
  http: Http,
  account: ChannelAccount,
): Promise<FailedOutcome | null> {
  const failure = await call(http, account, "GET", "/me?fields=id");
  return failure !== null && TOKEN_CODES.has(failure.code) ? failure : null;
}

/**
 * Has the account's events sent to the app (channels.md §3.2). Beside the token and the permissions nothing stops the
 * channel here: an app may have been subscribed in its own settings, and a proxy may pass sends only.
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
  method: "GET" | "POST" | "DELETE",
  path: string,
): Promise<FailedOutcome | null> {
  const token = account.secrets["accessToken"] ?? "";
  try {
    const response = await http.request({
      method,
      url: `${account.apiUrl}${path}`,
      headers: { authorization: `Bearer ${token}` },
    });
    return response.status >= 200 && response.status < 300
      ? null
      : outcomeOfGraphFailure(response, token, messagingCodes);
  } catch (error) {
    return outcomeOfNoAnswer(error);
  }
}
