import type { Http } from "../../../lib/http.ts";
import type { ChannelAccount, FailedOutcome, OutboundMessage, SendOutcome } from "../../adapter.ts";
import { outcomeOfNoAnswer } from "../no-answer.ts";
import { callTikTok } from "./api.ts";
import { outcomeOfSend } from "./outcome.ts";

/** `text.body` (channels.md §6.2): more than the API accepts, so that nothing is ever split. */
export const MAX_TEXT_LENGTH = 6000;

// Shorter than the lease of whoever called us.
const TIMEOUT_MS = 20_000;

/**
 * `POST /business/message/send/` (channels.md §6.2). One call, never a second one. `to` is the conversation: TikTok
 * takes no message to a customer's own id, and has no templates.
 */
export async function sendTikTok(
  http: Http,
  account: ChannelAccount,
  message: OutboundMessage,
): Promise<SendOutcome> {
  if (message.content.kind === "template")
    return refuse("TEMPLATE_UNSUPPORTED", "TikTok has no templates", "template");
  if (message.content.kind === "media")
    return refuse("MEDIA_UNSUPPORTED", "files are not sent on TikTok yet", "recipient");
  const { text } = message.content;
  if (text.length > MAX_TEXT_LENGTH && Array.from(text).length > MAX_TEXT_LENGTH)
    return refuse(
      "TEXT_TOO_LONG",
      `a text holds at most ${MAX_TEXT_LENGTH} characters`,
      "recipient",
    );
  const body = {
    business_id: account.externalId,
    recipient_type: "CONVERSATION",
    recipient: message.to,
    message_type: "TEXT",
    text: { body: text },
  };
  try {
    const path = "/business/message/send/";
    return outcomeOfSend(await callTikTok(http, account, path, { body }, TIMEOUT_MS), account);
  } catch (error) {
    return outcomeOfNoAnswer(error);
  }
}

const refuse = (code: string, detail: string, scope: "recipient" | "template"): FailedOutcome => ({
  ok: false,
  reason: "rejected",
  code,
  detail,
  scope,
});
