import type { HttpResponse } from "../../../lib/http.ts";
import { retryAfterOf } from "../../../lib/retry-after.ts";
import type { ChannelAccount, FailedOutcome, SendOutcome } from "../../adapter.ts";
import { outcomeOfStatus } from "../foreign-answer.ts";
import { idOrNull, record } from "../meta/json.ts";
import { readTikTokAnswer, type TikTokAnswer } from "./api.ts";
import { storedTikTokCode, meaningOfTikTokCode } from "./codes.ts";

/** How long we wait after a throttle: the platform names no time (channels.md §6.5), but a proxy may. */
const DEFAULT_WAIT_MS = 60_000;

/** Expired credentials, in words that let the channel's reason say what to do. */
const ENDED: Readonly<Record<string, string>> = {
  40102: "the access token has ended; connect the account again with a new one",
  40103: "the refresh token has ended; the account must be authorised again",
  40107: "the refresh token is not good any more; the account must be authorised again",
};

export type CallOutcome = { readonly ok: true; readonly answer: TikTokAnswer } | FailedOutcome;

/**
 * The meaning of an answer: first the code in the body, whatever the HTTP status, then the status (channels.md
 * §0.2, §6.5).
 */
export function outcomeOfCall(
  response: HttpResponse,
  account: Pick<ChannelAccount, "secrets">,
): CallOutcome {
  const { accessToken, appSecret, refreshToken } = account.secrets;
  const answer = readTikTokAnswer(response, [accessToken, appSecret, refreshToken]);
  if (answer === null) {
    if (response.status !== 429) return outcomeOfStatus(response.status);
    return throttled({ ok: false, code: "HTTP_429", detail: "too many requests" }, response);
  }
  if (answer.code === "0") return { ok: true, answer };
  const { reason, scope } = meaningOfTikTokCode(answer.code, answer.message);
  const detail =
    answer.code in ENDED ? `${ENDED[answer.code]} (${answer.message})` : answer.message;
  const failed = { ok: false, code: storedTikTokCode(answer.code, detail), detail } as const;
  if (reason === "throttled") return { ...throttled(failed, response), scope };
  if (response.status === 429) return throttled(failed, response);
  return { ...failed, reason, scope };
}

/** The outcome of a send that was answered. Success without a message id proves nothing, so it is `unknown`. */
export function outcomeOfTikTokSend(
  response: HttpResponse,
  account: Pick<ChannelAccount, "secrets">,
): SendOutcome {
  const outcome = outcomeOfCall(response, account);
  if (!outcome.ok) return outcome;
  const externalId = idOrNull(record(outcome.answer.data["message"])["message_id"]);
  if (externalId !== null) return { ok: true, externalId };
  const detail = "the platform answered without a message id";
  return { ok: false, reason: "unknown", code: "NO_MESSAGE_ID", detail };
}

/** When nothing says what a throttle is about, the whole account waits. */
function throttled(
  failed: Pick<FailedOutcome, "ok" | "code" | "detail">,
  response: HttpResponse,
): FailedOutcome {
  const retryAfterMs = retryAfterOf(response) ?? DEFAULT_WAIT_MS;
  return { ...failed, reason: "throttled", retryAfterMs, scope: "account" };
}
