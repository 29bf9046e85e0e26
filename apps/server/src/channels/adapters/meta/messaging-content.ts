import type { InboundContent } from "../../adapter.ts";
import { cardAttachment, cardText, EMPTY_CARD, MOST_CARDS, type Card } from "../card.ts";
import { withoutNulls, type AttachmentFacts } from "../attachment-facts.ts";
import { idOrNull, number, record, records, textOrNull, type JsonRecord } from "./json.ts";
import { readAttachedFiles } from "./messaging-media.ts";

/** Our words for the platform's kinds of attachment; other kinds keep their name. */
const KINDS: Readonly<Record<string, string>> = {
  image: "image",
  video: "video",
  audio: "audio",
  file: "document",
  sticker: "sticker",
  location: "location",
  story_mention: "story_mention",
  share: "share",
  ig_post: "share",
  ig_story: "share",
  post: "share",
  ig_reel: "reel",
  reel: "reel",
  like_heart: "like_heart",
};

/**
 * Reads the content of a message (channels.md §3.2, §4.2). A text with a shared link stays a text. An unknown kind
 * becomes `unsupported`, so that the inbox shows that something came. `beside` is the item that holds the message,
 * which may name the advertisement that the customer came by.
 */
export function readMessagingContent(message: JsonRecord, beside: JsonRecord = {}): InboundContent {
  const words = textOrNull(message["text"]);
  const extras = readExtras(message, beside);
  const button = record(message["quick_reply"]);
  if (Object.keys(button).length > 0) {
    const pressed = withoutNulls({
      type: "button",
      text: words,
      payload: textOrNull(button["payload"]),
    });
    return withFiles({ type: "button", text: words, attachments: [pressed, ...extras] });
  }
  const attachments = records(message["attachments"]);
  const cards = attachments.filter(isCard).flatMap(readCards);
  const media = attachments.flatMap((one): AttachmentFacts[] =>
    isCard(one) ? readCards(one).map(cardAttachment) : [readAttachment(one)],
  );
  const first = media.find((one) => one["type"] !== "link");
  if (message["is_unsupported"] === true || (words === null && media.length === 0)) {
    const about = { type: "unsupported" };
    return withFiles({
      type: "unsupported",
      text: words,
      attachments: [about, ...media, ...extras],
    });
  }
  const type = typeof first?.["type"] === "string" ? first["type"] : "text";
  const title = media
    .map((one) => textOrNull(one["title"]) ?? textOrNull(one["url"]))
    .find((one) => one !== null);
  const shown = words ?? (type === "text" ? (title ?? null) : cardText(cards));
  return withFiles({ type, text: shown, attachments: [...media, ...extras] });
}

const isCard = (attachment: JsonRecord): boolean => attachment["type"] === "template";

/**
 * The cards of a template: products that were shared (`payload.product`; Meta, "messages Webhook Event
 * Reference"), and what a bot or an agent sent (`payload` itself; "message_echoes"): cards in `elements`, or a
 * text with buttons.
 */
function readCards(attachment: JsonRecord): Card[] {
  const payload = record(attachment["payload"]);
  const lists = [payload, record(payload["product"]), record(payload["generic"])];
  const elements = lists.flatMap(({ elements }) => records(elements)).slice(0, MOST_CARDS);
  if (elements.length > 0) return elements.map((element) => readCard(element, payload));
  const card = {
    ...EMPTY_CARD,
    title:
      textOrNull(payload["text"]) ??
      textOrNull(payload["title"]) ??
      textOrNull(attachment["title"]),
    url: textOrNull(payload["url"]) ?? textOrNull(attachment["url"]),
    id: idOrNull(payload["id"]),
    buttons: readButtons(payload["buttons"]),
  };
  return [card];
}

function readCard(element: JsonRecord, payload: JsonRecord): Card {
  const price = textOrNull(element["price"]) ?? number(element["price"])?.toString() ?? null;
  const currency = textOrNull(element["currency"]) ?? textOrNull(payload["currency"]);
  return {
    title: textOrNull(element["title"]),
    subtitle: textOrNull(element["subtitle"]),
    price: price !== null && currency !== null ? `${price} ${currency}` : price,
    url: textOrNull(record(element["default_action"])["url"]) ?? textOrNull(element["url"]),
    imageUrl: textOrNull(element["image_url"]),
    id: idOrNull(element["id"]),
    retailerId: idOrNull(element["retailer_id"]),
    buttons: readButtons(element["buttons"]),
  };
}

function readButtons(buttons: unknown): Card["buttons"] {
  return records(buttons)
    .slice(0, MOST_CARDS)
    .map((button) => ({
      text: textOrNull(button["title"]),
      url: textOrNull(button["url"]),
      payload: textOrNull(button["payload"]),
    }));
}

function withFiles(content: InboundContent): InboundContent {
  const files = readAttachedFiles(content.attachments);
  return files.length === 0 ? content : { ...content, media: files };
}

function readAttachment(attachment: JsonRecord): AttachmentFacts {
  const kind = textOrNull(attachment["type"]) ?? "";
  const payload = record(attachment["payload"]);
  // A forwarded story (`ig_story`) has other names for its address and id.
  const url =
    textOrNull(payload["url"]) ??
    textOrNull(payload["story_media_url"]) ??
    textOrNull(attachment["url"]);
  const title = textOrNull(payload["title"]) ?? textOrNull(attachment["title"]);
  // A shared link. The platform uses the same name for what it cannot show.
  if (kind === "fallback") return withoutNulls({ type: "link", url, title });
  if (kind === "location") {
    const { lat, long } = record(payload["coordinates"]);
    return withoutNulls({
      type: "location",
      latitude: number(lat),
      longitude: number(long),
      title,
      url,
    });
  }
  const stickerId = idOrNull(payload["sticker_id"]);
  const known = Object.hasOwn(KINDS, kind) ? KINDS[kind] : undefined;
  if (known === undefined)
    return withoutNulls({ type: "unsupported", originalType: kind || null, url, title });
  const type = known === "image" && stickerId !== null ? "sticker" : known;
  const id =
    idOrNull(payload["reel_video_id"]) ??
    idOrNull(payload["ig_post_media_id"]) ??
    idOrNull(payload["story_media_id"]) ??
    idOrNull(payload["id"]);
  return withoutNulls({ type, url, title, stickerId, id });
}

/** The message that this one answers, and the advertisement or link that the customer came by. */
function readExtras(message: JsonRecord, beside: JsonRecord): AttachmentFacts[] {
  const extras: AttachmentFacts[] = [];
  const replyTo = record(message["reply_to"]);
  const quoted = idOrNull(replyTo["mid"]);
  if (quoted !== null) extras.push({ type: "quote", messageId: quoted });
  const story = record(replyTo["story"]);
  if (Object.keys(story).length > 0)
    extras.push(
      withoutNulls({
        type: "story_reply",
        id: idOrNull(story["id"]),
        url: textOrNull(story["url"]),
      }),
    );
  const referral = readReferral(message["referral"]) ?? readReferral(beside["referral"]);
  return referral === null ? extras : [...extras, referral];
}

/** Where a customer came from: an advertisement, a link with a reference. */
export function readReferral(value: unknown): AttachmentFacts | null {
  const referral = record(value);
  if (Object.keys(referral).length === 0) return null;
  const ad = record(referral["ads_context_data"]);
  return withoutNulls({
    type: "referral",
    ref: textOrNull(referral["ref"]),
    source: textOrNull(referral["source"]),
    referralType: textOrNull(referral["type"]),
    adId: idOrNull(referral["ad_id"]),
    url: textOrNull(referral["referer_uri"]),
    // What the advertisement, or the page of a shop, was about.
    headline: textOrNull(ad["ad_title"]),
    productId: idOrNull(record(referral["product"])["id"]) ?? idOrNull(ad["product_id"]),
  });
}
