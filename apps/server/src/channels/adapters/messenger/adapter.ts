import type { Http } from "../../../lib/http.ts";
import type {
  ChannelAccount,
  ChannelAdapter,
  FailedOutcome,
  OutboundMessage,
  TextLimit,
} from "../../adapter.ts";
import { refuseFile } from "../media-refusal.ts";
import { ATTACHMENT_TYPES } from "../meta/attachments.ts";
import { checkMedia } from "../meta/check-media.ts";
import { DEFAULT_GRAPH_URL } from "../meta/graph-url.ts";
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
import { MESSENGER_MEDIA, uploadAttachment } from "./send-media.ts";

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

/** Messenger of a Facebook page: texts and files out; messages, echoes, deliveries and reads in (channels.md §3). */
export const messenger: ChannelAdapter = {
  type: "MESSENGER",
  defaultApiUrl: DEFAULT_GRAPH_URL,
  partLimit: LIMIT,
  media: MESSENGER_MEDIA,
  choices: quickReplyRule(LIMIT),
  quotes: "all",
  async send(http, account, message) {
    const content = await contentOf(http, account, message.content);
    if ("ok" in content) return content;
    return sendMessaging(http, account, message, {
      recipient: { id: message.to },
      ...(message.afterWindow
        ? { messaging_type: "MESSAGE_TAG", tag: "HUMAN_AGENT" }
        : { messaging_type: "RESPONSE" }),
      ...(message.quotes !== undefined && { reply_to: { mid: message.quotes } }),
      // Comes back in the echo, which settles a send with a lost answer.
      message: { ...content, metadata: message.id },
    });
  },
  verify: (request, account) => verifyMetaSignature(request, account.secrets["appSecret"]),
  parse: (request) => parseMessaging(request, "page"),
  challenge: (query, account) => metaChallenge(query, account.secrets["verifyToken"]),
  check: checkMessagingAccount,
  subscribe: (http, account) => subscribeApp(http, account, FIELDS),
  sharesSubscription: true,
  unsubscribe: unsubscribeApp,
};

async function contentOf(
  http: Http,
  account: ChannelAccount,
  content: OutboundMessage["content"],
): Promise<{ text: string; quick_replies?: object[] } | { attachment: object } | FailedOutcome> {
  if (content.kind === "template") return noTemplates();
  if (content.kind === "choices") return quickReplies(content, LIMIT);
  if (content.kind === "text") return checkText(content.text, LIMIT) ?? { text: content.text };
  const { media, caption } = content;
  const refusal = checkMedia(MESSENGER_MEDIA, media, caption);
  if (refusal !== null) return refusal;
  if (media.kind === "sticker") return refuseFile("MEDIA_UNSUPPORTED", "stickers cannot be sent");
  const type = ATTACHMENT_TYPES[media.kind];
  const uploaded = await uploadAttachment(http, account, media, type);
  if (!uploaded.ok) return uploaded;
  return { attachment: { type, payload: { attachment_id: uploaded.id } } };
}
