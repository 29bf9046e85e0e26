import { createHash, timingSafeEqual } from "node:crypto";
import type { ChannelAccount, ChannelAdapter, RawWebhook } from "../../adapter.ts";
import { acknowledgePresses } from "./acknowledge.ts";
import { DEFAULT_BOT_API_URL } from "./api.ts";
import { parseTelegram } from "./parse.ts";
import { checkBot, subscribeBot, unsubscribeBot } from "./setup.ts";
import { TELEGRAM_MEDIA } from "./send-file.ts";
import { sendTelegram, TELEGRAM_CHOICES } from "./send.ts";

/**
 * Telegram Bot API: text and files out; messages, files, edits, buttons, blocking in (channels.md §5). Of a send
 * it reports nothing after its 200.
 */
export const telegram: ChannelAdapter = {
  type: "TELEGRAM",
  defaultApiUrl: DEFAULT_BOT_API_URL,
  media: TELEGRAM_MEDIA,
  choices: TELEGRAM_CHOICES,
  quotes: "all",
  send: sendTelegram,
  verify: verifySecretToken,
  parse: parseTelegram,
  check: checkBot,
  subscribe: subscribeBot,
  unsubscribe: unsubscribeBot,
  acknowledge: acknowledgePresses,
};

/** The secret that we gave to `setWebhook`, compared as it is: the platform does not sign (channels.md §5.3). */
function verifySecretToken(request: RawWebhook, account: ChannelAccount): boolean {
  const given = request.headers["x-telegram-bot-api-secret-token"];
  const expected = account.secrets["secretToken"];
  if (given === undefined || !expected) return false;
  return timingSafeEqual(digest(given), digest(expected));
}

// Hashing first makes texts of any length comparable in constant time.
const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
