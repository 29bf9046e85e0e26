import type { ChannelAdapter } from "../../adapter.ts";
import { DEFAULT_TIKTOK_URL } from "./api.ts";
import { parseTikTok } from "./parse.ts";
import { refreshTikTok } from "./refresh.ts";
import { sendTikTok, TIKTOK_MEDIA } from "./send.ts";
import { verifyTikTokSignature } from "./signature.ts";
import { checkTikTok, subscribeTikTok, unsubscribeTikTok } from "./subscribe.ts";

/** TikTok Business Messaging: text and pictures out; messages, files, echoes and read marks in (channels.md §6). */
export const tiktok: ChannelAdapter = {
  type: "TIKTOK",
  defaultApiUrl: DEFAULT_TIKTOK_URL,
  media: TIKTOK_MEDIA,
  quotes: "texts",
  send: sendTikTok,
  verify: (request, account) => verifyTikTokSignature(request, account.secrets["appSecret"]),
  parse: parseTikTok,
  // TikTok does not document this, and answering it gives nothing away (channels.md §11 point 6).
  challenge: (query) => query["challenge"] ?? null,
  check: checkTikTok,
  subscribe: subscribeTikTok,
  addressSharedBy: "appId",
  unsubscribe: unsubscribeTikTok,
  refreshCredentials: refreshTikTok,
};
