import type { InboundContent } from "../../adapter.ts";
import { idText, number, record, records, text, type JsonRecord } from "../meta/json.ts";
import { messageKey } from "./outcome.ts";

type Attachment = Readonly<Record<string, unknown>>;

/** Notes of the platform in a private chat: nothing that the customer said. */
const SERVICE = [
  "pinned_message",
  "message_auto_delete_timer_changed",
  "write_access_allowed",
  "chat_background_set",
];

/** Members with a file, and the type they have here. An animation carries a `document` too, so it stands first. */
const FILES = [
  ["animation", "video"],
  ["video_note", "video"],
  ["video", "video"],
  ["voice", "audio"],
  ["audio", "audio"],
  ["sticker", "sticker"],
  ["document", "document"],
] as const;

/** What a message says (channels.md §5.3). Null: a note of the platform. What we do not know is `unsupported`. */
export function readContent(message: JsonRecord, chatId: string): InboundContent | null {
  if (SERVICE.some((name) => name in message)) return null;
  const extras = readExtras(message, chatId);
  const own = readOwn(message);
  return { ...own, attachments: [...own.attachments, ...extras] };
}

function readOwn(message: JsonRecord): InboundContent {
  const words = text(message["text"]);
  if (words !== null) return { type: "text", text: words, attachments: [] };
  const caption = text(message["caption"]);
  // The same picture in several sizes, the largest last.
  const photo = records(message["photo"]).at(-1);
  if (photo !== undefined)
    return { type: "image", text: caption, attachments: [readFile("image", photo, caption)] };
  for (const [member, type] of FILES) {
    if (!(member in message)) continue;
    const file = record(message[member]);
    const attachment = {
      ...readFile(type, file, caption),
      ...(member === "voice" && { voice: true }),
      ...(member === "animation" && { animated: true }),
      ...(member === "video_note" && { round: true }),
    };
    // A sticker has no caption; the emoji that it stands for is what a list of messages can show.
    const said = type === "sticker" ? text(file["emoji"]) : caption;
    return { type, text: said, attachments: [attachment] };
  }
  if ("venue" in message) return location(record(message["venue"]));
  if ("location" in message) return location({ location: message["location"] });
  if ("contact" in message)
    return { type: "contacts", text: null, attachments: [readCard(record(message["contact"]))] };
  const originalType = Object.keys(message).findLast((key) => !ENVELOPE.has(key)) ?? null;
  return {
    type: "unsupported",
    text: caption,
    attachments: [given({ type: "unsupported", originalType })],
  };
}

/** Members that every message may have: the last one beside them names the kind of content. */
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

function readFile(type: string, file: JsonRecord, caption: string | null): Attachment {
  return given({
    type,
    id: text(file["file_id"]),
    uniqueId: text(file["file_unique_id"]),
    mimeType: text(file["mime_type"]),
    fileName: text(file["file_name"]),
    size: number(file["file_size"]),
    width: number(file["width"]),
    height: number(file["height"]),
    duration: number(file["duration"]),
    emoji: text(file["emoji"]),
    title: text(file["title"]),
    caption,
  });
}

function location(venue: JsonRecord): InboundContent {
  const place = record(venue["location"]);
  const attachment = given({
    type: "location",
    latitude: number(place["latitude"]),
    longitude: number(place["longitude"]),
    name: text(venue["title"]),
    address: text(venue["address"]),
  });
  return { type: "location", text: null, attachments: [attachment] };
}

/** A card that the customer shared. Its number is not taken as the customer's own: any client can fill it in. */
function readCard(card: JsonRecord): Attachment {
  const phone = text(card["phone_number"]);
  return given({
    type: "contact",
    name: fullName(card),
    userId: idText(card["user_id"]),
    phones: phone === null ? [] : [{ phone }],
  });
}

/** What a message quotes or forwards, the album it is part of, and the link that started the chat. */
function readExtras(message: JsonRecord, chatId: string): Attachment[] {
  const extras: Attachment[] = [];
  const quoted = idText(record(message["reply_to_message"])["message_id"]);
  if (quoted !== null) extras.push({ type: "quote", messageId: messageKey(chatId, quoted) });
  if ("forward_origin" in message) extras.push({ type: "forwarded" });
  const album = idText(message["media_group_id"]);
  if (album !== null) extras.push({ type: "album", id: album });
  const payload = startPayload(message);
  if (payload !== null) extras.push({ type: "start", payload });
  return extras;
}

/** What a deep link carried (`/start promo42`), or null. */
export function startPayload(message: JsonRecord): string | null {
  return /^\/start(?:@\w+)? +(\S{1,64})$/.exec(text(message["text"]) ?? "")?.[1] ?? null;
}

/** First and last name, else the user name; null when there is none of them. */
export function fullName(person: JsonRecord): string | null {
  const names = [text(person["first_name"]), text(person["last_name"])].filter(
    (one) => one !== null,
  );
  return names.length > 0 ? names.join(" ") : text(person["username"]);
}

/** Leaves out what was not given. */
export function given(facts: Attachment): Attachment {
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== null));
}
