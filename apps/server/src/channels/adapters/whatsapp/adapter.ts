import type { ChannelAdapter } from "../../adapter.ts";
import { DEFAULT_GRAPH_URL } from "../meta/graph-url.ts";
import { metaChallenge, verifyMetaSignature } from "../meta/signature.ts";
import { checkWhatsAppAccount, subscribeWhatsApp } from "./check-account.ts";
import { WHATSAPP_MEDIA } from "./media-rules.ts";
import { messageToken } from "./message-token.ts";
import { parseWhatsApp } from "./parse.ts";
import { MAX_TEXT_LENGTH, sendWhatsApp, WHATSAPP_CHOICES } from "./send.ts";
import { uploadToWhatsApp } from "./upload-media.ts";

/** WhatsApp Cloud API: text, templates and files out; messages, statuses and account news in (channels.md §2). */
export const whatsapp: ChannelAdapter = {
  type: "WHATSAPP",
  defaultApiUrl: DEFAULT_GRAPH_URL,
  // The API's limit is as many code points, and Meta does not say which "characters" it counts: the text fits by
  // either.
  partLimit: { unit: "characters", most: MAX_TEXT_LENGTH },
  media: WHATSAPP_MEDIA,
  choices: WHATSAPP_CHOICES,
  quotes: "all",
  send: sendWhatsApp,
  uploadMedia: uploadToWhatsApp,
  verify: (request, account) => verifyMetaSignature(request, account.secrets["appSecret"]),
  parse: parseWhatsApp,
  messageToken,
  check: checkWhatsAppAccount,
  // Never unsubscribed: other numbers of the business account, and other programs with the same app, depend on it.
  subscribe: subscribeWhatsApp,
  challenge: (query, account) => metaChallenge(query, account.secrets["verifyToken"]),
};
