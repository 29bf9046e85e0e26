import type { ChannelAdapter, FailedOutcome, OutboundMessage, TextLimit } from "../../adapter.ts";
import { refuseFile } from "../media-refusal.ts";
import { ATTACHMENT_TYPES } from "../meta/attachments.ts";
import { checkMedia } from "../meta/check-media.ts";
import { GRAPH_VERSION } from "../meta/graph-url.ts";
import { checkMessagingAccount, subscribeApp, unsubscribeApp } from "../meta/messaging-account.ts";
import { parseMessaging } from "../meta/messaging-parse.ts";
import {
  checkText,
  noTemplates,
  quickReplies,
  quickReplyRule,
  sendMessaging,
} from "../meta/messaging-send.ts";
import { metaChallenge, verifyMetaSignature } from "../meta/signature.ts";
import { INSTAGRAM_MEDIA } from "./media-rules.ts";
import { REFRESH_AFTER_MS, refreshInstagramToken } from "./refresh-token.ts";

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
 * Instagram Direct, by Instagram login or through a page (`--api-url https://graph.facebook.com`): texts and files
 * out; messages, echoes and reads in, no deliveries (channels.md §4). It does not return an id of ours.
 */
export const instagram: ChannelAdapter = {
  type: "INSTAGRAM",
  defaultApiUrl: `https://graph.instagram.com/${GRAPH_VERSION}`,
  // Bytes, so that a text of the shortest letters may have this many.
  partLimit: LIMIT,
  media: INSTAGRAM_MEDIA,
  choices: quickReplyRule(LIMIT),
  async send(http, account, message) {
    const content = contentOf(message.content);
    if ("ok" in content) return content;
    return sendMessaging(http, account, message, {
      recipient: { id: message.to },
      ...(message.afterWindow && { messaging_type: "MESSAGE_TAG", tag: "HUMAN_AGENT" }),
      message: content,
    });
  },
  verify: (request, account) => verifyMetaSignature(request, account.secrets["appSecret"]),
  parse: (request) => parseMessaging(request, "instagram"),
  challenge: (query, account) => metaChallenge(query, account.secrets["verifyToken"]),
  check: checkMessagingAccount,
  subscribe: (http, account) => subscribeApp(http, account, FIELDS),
  sharesSubscription: true,
  unsubscribe: unsubscribeApp,
  refreshCredentials: refreshInstagramToken,
  refreshAfterMs: REFRESH_AFTER_MS,
};

/** Files are sent by address (channels.md §4.1): the platform fetches them from us, and says so when it cannot. */
function contentOf(
  content: OutboundMessage["content"],
): { text: string; quick_replies?: object[] } | { attachment: object } | FailedOutcome {
  if (content.kind === "template") return noTemplates();
  if (content.kind === "choices") return quickReplies(content, LIMIT);
  if (content.kind === "text") return checkText(content.text, LIMIT) ?? { text: content.text };
  const { media, caption } = content;
  const refusal = checkMedia(INSTAGRAM_MEDIA, media, caption);
  if (refusal !== null) return refusal;
  if (media.kind === "sticker") return refuseFile("MEDIA_UNSUPPORTED", "stickers cannot be sent");
  return { attachment: { type: ATTACHMENT_TYPES[media.kind], payload: { url: media.url } } };
}
