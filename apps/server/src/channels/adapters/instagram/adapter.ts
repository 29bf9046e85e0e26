import type { ChannelAdapter, TextLimit } from "../../adapter.ts";
import { GRAPH_VERSION } from "../meta/graph-url.ts";
import { checkToken, subscribeApp, unsubscribeApp } from "../meta/messaging-account.ts";
import { parseMessaging } from "../meta/messaging-parse.ts";
import { sendMessaging, textOf } from "../meta/messaging-send.ts";
import { metaChallenge, verifyMetaSignature } from "../meta/signature.ts";

const LIMIT: TextLimit = { unit: "bytes", most: 1000 };

/** Echoes come with `messages` (channels.md §4.2). */
const FIELDS = [
  "messages",
  "messaging_postbacks",
  "messaging_seen",
  "messaging_referral",
  "message_reactions",
  "message_edit",
];

/**
 * Instagram Direct, by Instagram login or through a page (`--api-url https://graph.facebook.com`): text out; messages,
 * echoes and reads in, no deliveries (channels.md §4). It hands no id of ours back.
 */
export const instagram: ChannelAdapter = {
  type: "INSTAGRAM",
  defaultApiUrl: `https://graph.instagram.com/${GRAPH_VERSION}`,
  // Bytes: what a text of the shortest letters may have.
  maxTextLength: LIMIT.most,
  partLimit: LIMIT,
  replyWindowHours: 24,
  async send(http, account, message) {
    const text = textOf(message, LIMIT);
    if (typeof text !== "string") return text;
    return sendMessaging(http, account, message, {
      recipient: { id: message.to },
      ...(message.afterWindow && { messaging_type: "MESSAGE_TAG", tag: "HUMAN_AGENT" }),
      message: { text },
    });
  },
  verify: (request, account) => verifyMetaSignature(request, account.secrets["appSecret"]),
  parse: (request) => parseMessaging(request, "instagram"),
  challenge: (query, account) => metaChallenge(query, account.secrets["verifyToken"]),
  check: checkToken,
  subscribe: (http, account) => subscribeApp(http, account, FIELDS),
  sharesSubscription: true,
  unsubscribe: unsubscribeApp,
};
