import type { InboundContent, InboundMedia } from "../../adapter.ts";
import { cardAttachment, cardText, EMPTY_CARD, MOST_CARDS, type Card } from "../card.ts";
import { idOrNull, record, records, textOrNull, type JsonRecord } from "../meta/json.ts";
import { fileKey } from "./media-source.ts";

/** What a message says, and whether it opens the 48 hours and the ten messages anew. */
export interface TikTokContent {
  readonly content: InboundContent;
  readonly opensWindow: boolean;
}

type Attachment = Readonly<Record<string, unknown>>;

/** How many reactions of one call are read: a conversation has two sides. */
const MOST_REACTIONS = 32;

/**
 * Reads a message of any type (channels.md §6.4; the shapes of reactions, emoji and cards: TikTok, "Webhook
 * Events"). An unknown type shows that something came and opens no window. Nor does a reaction.
 */
export function readTikTokContent(message: JsonRecord): TikTokContent {
  // Lower-case in webhooks, upper-case in the lists.
  const type = (textOrNull(message["type"]) ?? "unsupported").toLowerCase();
  const own = record(message[type]);
  const quote = idOrNull(record(message["referenced_message_info"])["referenced_message_id"]);
  const extras: Attachment[] = quote === null ? [] : [{ type: "quote", messageId: quote }];
  const referral = readTikTokReferral(message["referral"]);
  if (referral !== null) extras.push(referral);
  const said = (
    words: string | null,
    attachments: readonly Attachment[] = [],
    media: readonly InboundMedia[] = [],
  ): TikTokContent => ({
    content: {
      type,
      text: words,
      attachments: [...attachments, ...extras],
      ...(media.length > 0 && { media }),
    },
    opensWindow: true,
  });
  switch (type) {
    case "text":
      return said(textOrNull(own["body"]));
    case "image":
    case "video": {
      const id = idOrNull(own["media_id"]);
      return said(null, [given({ type, id })], fileOf(type, sourceOf(message, id)));
    }
    // Both are pictures. The address is a public one that needs no token; not every event has it.
    case "sticker":
    case "emoji": {
      const url = textOrNull(own["url"]);
      const about = given({ type: "sticker", id: idOrNull(own["media_id"]) });
      const sticker = said(null, [about], fileOf("sticker", url === null ? null : { url }));
      return { ...sticker, content: { ...sticker.content, type: "sticker" } };
    }
    case "template": {
      const cards = readCards(own);
      return said(cardText(cards), cards.map(cardAttachment));
    }
    case "reaction": {
      const reactions = records(message["reaction"]).slice(0, MOST_REACTIONS).map(readReaction);
      const emoji = reactions.flatMap((one) => textOrNull(one["emoji"]) ?? []).join(" ");
      return { ...said(emoji === "" ? null : emoji, reactions), opensWindow: false };
    }
    // A page of TikTok's, not a file: there is nothing to fetch.
    case "share_post":
      return said(null, [
        given({ type, url: textOrNull(own["embed_url"]), videoId: idOrNull(own["video_id"]) }),
      ]);
    default: {
      const about = given({ type: "unsupported", originalType: type });
      const content = { type: "unsupported", text: null, attachments: [about, ...extras] };
      return { content, opensWindow: false };
    }
  }
}

/** One of the reactions of a call. A withdrawn one has no emoji; an emoji made by TikTok's AI is a picture. */
function readReaction(reaction: JsonRecord): Attachment {
  const messageId = idOrNull(reaction["original_msg_id"]);
  const taken = textOrNull(reaction["operation"])?.toUpperCase() === "REMOVE";
  if (taken) return given({ type: "reaction", messageId });
  const emoji = textOrNull(reaction["emoji"]);
  return given({
    type: "reaction",
    messageId,
    emoji: emoji ?? AI_EMOJI,
    url: emoji === null ? textOrNull(reaction["ai_emoji_url"]) : null,
  });
}

/** Stands for an emoji that is a picture. */
const AI_EMOJI = "\u{1F5BC}";

/** Question cards: events have them in `elements`, the lists have only one. */
function readCards(template: JsonRecord): Card[] {
  const elements = records(template["elements"]).slice(0, MOST_CARDS);
  return (elements.length > 0 ? elements : [template]).map((element) => ({
    ...EMPTY_CARD,
    title: textOrNull(element["title"]),
    buttons: records(element["buttons"])
      .slice(0, MOST_CARDS)
      .map((button) => ({
        text: textOrNull(button["text"]) ?? textOrNull(button["title"]),
        url: null,
        payload: idOrNull(button["id"]),
      })),
  }));
}

/** How a customer came: by an advertisement, or by a link of the business with a reference. Null: not told. */
export function readTikTokReferral(value: unknown): Attachment | null {
  const referral = record(value);
  const ad = record(referral["ad"]);
  const link = record(referral["short_link"]);
  const source = textOrNull(referral["source"]);
  if (source === null && Object.keys(ad).length === 0 && Object.keys(link).length === 0)
    return null;
  return given({
    type: "referral",
    source,
    ref: textOrNull(link["ref"]),
    adId: idOrNull(ad["ad_id"]),
    advertiserId: idOrNull(ad["advertiser_id"]),
    creativeId: idOrNull(ad["message_material_id"]),
    headline: textOrNull(ad["ad_name"]),
    url: textOrNull(ad["embed_url"]),
  });
}

function sourceOf(message: JsonRecord, mediaId: string | null): InboundMedia["source"] | null {
  const conversationId = idOrNull(message["conversation_id"]);
  const messageId = idOrNull(message["message_id"]);
  if (mediaId === null || conversationId === null || messageId === null) return null;
  return { id: fileKey({ conversationId, messageId, mediaId }) };
}

function fileOf(
  kind: "image" | "video" | "sticker",
  source: InboundMedia["source"] | null,
): InboundMedia[] {
  if (source === null) return [];
  return [{ attachment: 0, kind, source, mimeType: null, fileName: null, size: null }];
}

/** Leaves out empty values. */
function given(facts: Attachment): Attachment {
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== null));
}
