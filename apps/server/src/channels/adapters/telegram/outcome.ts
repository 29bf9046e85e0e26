import type { HttpResponse } from "../../../lib/http.ts";
import { retryAfterOf } from "../../../lib/retry-after.ts";
import type { FailedOutcome, SendOutcome } from "../../adapter.ts";
import { outcomeOfStatus } from "../foreign-answer.ts";
import { idOrNull, number, record, textOrNull, type JsonRecord } from "../meta/json.ts";
import { readBotAnswer } from "./api.ts";
import { meaningOfTelegramError } from "./codes.ts";

const LONGEST_DETAIL = 500;
/** The longest wait that we accept: values of hours occur (channels.md §5.4: 10072 s). */
const LONGEST_WAIT_MS = 24 * 3_600_000;
const DEFAULT_WAIT_MS = 10_000;

/** The id we store for a message: message ids count per chat. */
export const messageKey = (chatId: string, messageId: string): string => `${chatId}:${messageId}`;

/** The outcome of a send that was answered. A 200 without a message proves nothing, so it is `unknown`. */
export function outcomeOfTelegramSend(response: HttpResponse, token: string): SendOutcome {
  const answer = readBotAnswer(response);
  if (answer?.["ok"] !== true || response.status >= 300)
    return outcomeOfTelegramFailure(response, token, answer);
  const result = record(answer["result"]);
  const chatId = idOrNull(record(result["chat"])["id"]);
  const messageId = idOrNull(result["message_id"]);
  if (chatId === null || messageId === null) return NO_MESSAGE_ID;
  return { ok: true, externalId: messageKey(chatId, messageId) };
}

const NO_MESSAGE_ID: FailedOutcome = {
  ok: false,
  reason: "unknown",
  code: "NO_MESSAGE_ID",
  detail: "the platform answered without a message id",
};

/**
 * The meaning of an answer without success (channels.md §5.4). As on every channel, `unreachable` and `throttled`
 * may be sent again, so they need proof that the message was not sent. A 5xx is no proof: the Bot API server
 * answers 500 for calls that were running when it restarted.
 */
export function outcomeOfTelegramFailure(
  response: HttpResponse,
  token: string,
  answer: JsonRecord | null = readBotAnswer(response),
): FailedOutcome {
  const { status } = response;
  if (answer?.["ok"] === false) {
    const code = number(answer["error_code"]) ?? status;
    const detail = describe(answer, token);
    const named = { ok: false, code: String(code), detail } as const;
    if (code === 429) return throttled(named, response, answer);
    if (code >= 400 && code < 500) return { ...named, ...meaningOfTelegramError(code, detail) };
    return { ...named, reason: "unknown" };
  }
  if (status === 429)
    return throttled({ ok: false, code: "HTTP_429", detail: "too many requests" }, response, {});
  if (status >= 200 && status < 300) return NO_MESSAGE_ID;
  return outcomeOfStatus(status);
}

/** The answer does not say whether the limit is the chat's or the bot's, so the whole account waits. */
function throttled(
  named: Pick<FailedOutcome, "ok" | "code" | "detail">,
  response: HttpResponse,
  answer: JsonRecord,
): FailedOutcome {
  const seconds = number(record(answer["parameters"])["retry_after"]);
  const retryAfterMs =
    seconds !== null && seconds > 0
      ? Math.min(seconds * 1000, LONGEST_WAIT_MS)
      : (retryAfterOf(response) ?? DEFAULT_WAIT_MS);
  return { ...named, reason: "throttled", retryAfterMs, scope: "account" };
}

/** The platform's words without the token, which a proxy in between may repeat from the address. */
function describe(answer: JsonRecord, token: string): string {
  const words = textOrNull(answer["description"]) ?? "no details were given";
  const safe = token === "" ? words : words.replaceAll(token, "[token]");
  return safe.slice(0, LONGEST_DETAIL).toWellFormed();
}
