import type { Http } from "../../../lib/http.ts";
import type { ChannelAccount, FailedOutcome, InboundEvent } from "../../adapter.ts";
import { outcomeOfNoAnswer } from "../no-answer.ts";
import { callBot, readBotAnswer } from "./api.ts";
import { outcomeOfTelegramFailure } from "./outcome.ts";
import { CALLBACK_PREFIX } from "./parse.ts";

/** Short: the platform's call waits for it, and all that can be lost is the end of a spinner on a button. */
const TIMEOUT_MS = 3_000;

/** `answerCallbackQuery` for every pressed button among the events (channels.md §5.3). Gives what went wrong. */
export async function acknowledgePresses(
  http: Http,
  account: ChannelAccount,
  events: readonly InboundEvent[],
): Promise<FailedOutcome[]> {
  const presses = events.flatMap((event) =>
    event.kind === "message" && event.externalMessageId.startsWith(CALLBACK_PREFIX)
      ? [event.externalMessageId.slice(CALLBACK_PREFIX.length)]
      : [],
  );
  const failures = await Promise.all(presses.map((id) => answer(http, account, id)));
  return failures.filter((failure) => failure !== null);
}

async function answer(
  http: Http,
  account: ChannelAccount,
  id: string,
): Promise<FailedOutcome | null> {
  try {
    const parameters = { callback_query_id: id };
    const response = await callBot(http, account, "answerCallbackQuery", parameters, {
      timeoutMs: TIMEOUT_MS,
    });
    if (response.status === 200 && readBotAnswer(response)?.["ok"] === true) return null;
    return outcomeOfTelegramFailure(response, account.secrets["botToken"] ?? "");
  } catch (error) {
    return outcomeOfNoAnswer(error);
  }
}
