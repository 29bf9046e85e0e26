import type { InboundContent } from "../../adapter.ts";
import { idOrNull, number, record, textOrNull, type JsonRecord } from "../meta/json.ts";
import { readFile } from "./files.ts";
import { withoutNulls, type AttachmentFacts } from "../attachment-facts.ts";
import { messageKey } from "./outcome.ts";

/** The platform's own notes in a private chat: the customer said nothing. */
const SERVICE = [
  "pinned_message",
  "message_auto_delete_timer_changed",
  "write_access_allowed",
  "connected_website",
  "chat_background_set",
  "forum_topic_created",
  "forum_topic_edited",
  "forum_topic_closed",
  "forum_topic_reopened",
];

/** The content of a message (channels.md §5.3). Null: a note of the platform. Unknown content is `unsupported`. */
export function readTelegramContent(message: JsonRecord, chatId: string): InboundContent | null {
  if (SERVICE.some((name) => name in message)) return null;
  const extras = readExtras(message, chatId);
  const own = readOwn(message);
  return { ...own, attachments: [...own.attachments, ...extras] };
}

function readOwn(message: JsonRecord): InboundContent {
  const words = textOrNull(message["text"]);
  if (words !== null) return { type: "text", text: words, attachments: [] };
  // The platform rolls a lone dice, ball or dart: the customer typed the emoji.
  const rolled = textOrNull(record(message["dice"])["emoji"]);
  if (rolled !== null) return { type: "text", text: rolled, attachments: [] };
  const caption = textOrNull(message["caption"]);
  const file = readFile(message, caption);
  if (file !== null) return file;
  if ("venue" in message) return location(record(message["venue"]));
  if ("location" in message) return location({ location: message["location"] });
  if ("contact" in message)
    return { type: "contacts", text: null, attachments: [readCard(record(message["contact"]))] };
  if ("web_app_data" in message) return readWebAppData(record(message["web_app_data"]));
  const originalType = Object.keys(message).findLast((key) => !ENVELOPE.has(key)) ?? null;
  return {
    type: "unsupported",
    text: caption,
    attachments: [withoutNulls({ type: "unsupported", originalType })],
  };
}

/** A web app of the bot was opened by a button of the keyboard and sent its data (Bot API, "WebAppData"). */
function readWebAppData(sent: JsonRecord): InboundContent {
  const words = textOrNull(sent["button_text"]);
  const pressed = withoutNulls({ type: "button", text: words, payload: textOrNull(sent["data"]) });
  return { type: "button", text: words, attachments: [pressed] };
}

/** Members that every message may have. The last member beside them names the kind of content. */
const ENVELOPE = new Set([
  "message_id",
  "from",
  "chat",
  "date",
  "edit_date",
  "caption",
  "caption_entities",
  "reply_to_message",
  "media_group_id",
  "forward_origin",
  "reply_markup",
  "has_protected_content",
  "via_bot",
  "effect_id",
]);

function location(venue: JsonRecord): InboundContent {
  const attachment = withoutNulls({
    ...readPlace(record(venue["location"])),
    name: textOrNull(venue["title"]),
    address: textOrNull(venue["address"]),
  });
  return { type: "location", text: null, attachments: [attachment] };
}

/** A place; `live` while the customer goes on sharing the position. */
export function readPlace(place: JsonRecord): AttachmentFacts {
  return withoutNulls({
    type: "location",
    latitude: number(place["latitude"]),
    longitude: number(place["longitude"]),
    live: number(place["live_period"]) === null ? null : true,
  });
}

/**
 * A card that the customer shared. Its number is not taken as the customer's own, because any client can fill it
 * in.
 */
function readCard(card: JsonRecord): AttachmentFacts {
  const phone = textOrNull(card["phone_number"]);
  return withoutNulls({
    type: "contact",
    name: fullName(card),
    userId: idOrNull(card["user_id"]),
    phones: phone === null ? [] : [{ phone }],
  });
}

/** The message that this one quotes or forwards, its album, and the link that started the chat. */
function readExtras(message: JsonRecord, chatId: string): AttachmentFacts[] {
  const extras: AttachmentFacts[] = [];
  const quoted = idOrNull(record(message["reply_to_message"])["message_id"]);
  if (quoted !== null) extras.push({ type: "quote", messageId: messageKey(chatId, quoted) });
  if ("forward_origin" in message) extras.push({ type: "forwarded" });
  const album = idOrNull(message["media_group_id"]);
  if (album !== null) extras.push({ type: "album", id: album });
  const payload = startPayload(message);
  if (payload !== null) extras.push({ type: "start", payload });
  return extras;
}

/** The payload of a deep link (`/start promo42`), or null. */
export function startPayload(message: JsonRecord): string | null {
  return /^\/start(?:@\w+)? +(\S{1,64})$/.exec(textOrNull(message["text"]) ?? "")?.[1] ?? null;
}

/** First and last name, else the user name; null when there is none of them. */
export function fullName(person: JsonRecord): string | null {
  const names = [textOrNull(person["first_name"]), textOrNull(person["last_name"])].filter(
    (one) => one !== null,
  );
  return names.length > 0 ? names.join(" ") : textOrNull(person["username"]);
}
