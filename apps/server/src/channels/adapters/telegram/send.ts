import type { Http } from "../../../lib/http.ts";
import type { ChannelAccount, FailedOutcome, OutboundMessage, SendOutcome } from "../../adapter.ts";
import { takesChoices, type Choice, type ChoicesRule } from "../../adapter.ts";
import { tooManyChoices } from "../media-refusal.ts";
import { outcomeOfNoAnswer } from "../no-answer.ts";
import { callBot } from "./api.ts";
import { outcomeOfTelegramSend } from "./outcome.ts";
import { quoteOf } from "./quote.ts";
import { sendFile } from "./send-file.ts";

/** Characters, which the platform counts as code points (channels.md §5.2). */
const MAX_TEXT_LENGTH = 4096;

/** `callback_data` holds 1 to 64 bytes (Bot API, InlineKeyboardButton). */
export const TELEGRAM_CHOICES: ChoicesRule = {
  most: 20,
  label: 64,
  payload: 64,
  text: { unit: "characters", most: MAX_TEXT_LENGTH },
};

// Shorter than the caller's lease.
const TIMEOUT_MS = 20_000;

/**
 * `sendMessage`, or `sendPhoto` and similar with the file in the call (channels.md §5.2): one call, never a second
 * one. Without `parse_mode`, because the text comes from a person or a contact's attribute and must not become
 * markup. Without a preview, as on the other channels.
 */
export async function sendTelegram(
  http: Http,
  account: ChannelAccount,
  message: OutboundMessage,
): Promise<SendOutcome> {
  const { content } = message;
  if (content.kind === "template") {
    const detail = "Telegram has no templates";
    return refuse("TEMPLATE_UNSUPPORTED", detail, "template");
  }
  // Private chats only: their ids are positive and below 2^52 (channels.md §5.2), so a number holds them.
  if (!/^[1-9]\d{0,15}$/.test(message.to))
    return refuse("ADDRESS_INVALID", "the address is no chat id", "recipient");
  if (content.kind === "media") return sendFile(http, account, message, content, TIMEOUT_MS);
  if (content.kind === "choices" && !takesChoices(TELEGRAM_CHOICES, content.text, content.choices))
    return tooManyChoices();
  if (Array.from(content.text).length > MAX_TEXT_LENGTH) {
    const detail = `a text holds at most ${MAX_TEXT_LENGTH} characters`;
    return refuse("TEXT_TOO_LONG", detail, "recipient");
  }
  try {
    const response = await callBot(
      http,
      account,
      "sendMessage",
      {
        chat_id: Number(message.to),
        text: content.text,
        link_preview_options: { is_disabled: true },
        ...(message.quotes !== undefined && { reply_parameters: quoteOf(message.quotes) }),
        ...(content.kind === "choices" && { reply_markup: keyboardOf(content.choices) }),
      },
      { timeoutMs: TIMEOUT_MS },
    );
    return outcomeOfTelegramSend(response, account.secrets["botToken"] ?? "");
  } catch (error) {
    return outcomeOfNoAnswer(error);
  }
}

/** One button a row, so that long labels stay readable. */
const keyboardOf = (choices: readonly Choice[]) => ({
  inline_keyboard: choices.map((one) => [{ text: one.text, callback_data: one.payload }]),
});

function refuse(code: string, detail: string, scope: "recipient" | "template"): FailedOutcome {
  return { ok: false, reason: "rejected", code, detail, scope };
}
