import type { ChannelAdapter, TextLimit } from "../../adapter.ts";
import { DEFAULT_GRAPH_URL } from "../meta/graph-url.ts";
import { checkToken, subscribeApp, unsubscribeApp } from "../meta/messaging-account.ts";
import { parseMessaging } from "../meta/messaging-parse.ts";
import { sendMessaging, textOf } from "../meta/messaging-send.ts";
import { metaChallenge, verifyMetaSignature } from "../meta/signature.ts";

const LIMIT: TextLimit = { unit: "characters", most: 2000 };

const FIELDS = [
  "messages",
  "message_echoes",
  "message_deliveries",
  "message_reads",
  "messaging_postbacks",
  "messaging_referrals",
  "message_reactions",
  "message_edits",
];

/** Messenger of a Facebook page: text out; messages, echoes, deliveries and reads in (channels.md §3). */
export const messenger: ChannelAdapter = {
  type: "MESSENGER",
  defaultApiUrl: DEFAULT_GRAPH_URL,
  maxTextLength: LIMIT.most,
  partLimit: LIMIT,
  replyWindowHours: 24,
  async send(http, account, message) {
    const text = textOf(message, LIMIT);
    if (typeof text !== "string") return text;
    return sendMessaging(http, account, message, {
      recipient: { id: message.to },
      ...(message.afterWindow
        ? { messaging_type: "MESSAGE_TAG", tag: "HUMAN_AGENT" }
        : { messaging_type: "RESPONSE" }),
      // Comes back in the echo: what settles a send whose answer was lost.
      message: { text, metadata: message.id },
    });
  },
  verify: (request, account) => verifyMetaSignature(request, account.secrets["appSecret"]),
  parse: (request) => parseMessaging(request, "page"),
  challenge: (query, account) => metaChallenge(query, account.secrets["verifyToken"]),
  check: checkToken,
  subscribe: (http, account) => subscribeApp(http, account, FIELDS),
  sharesSubscription: true,
  unsubscribe: unsubscribeApp,
};
