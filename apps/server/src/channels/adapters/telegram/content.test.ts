import assert from "node:assert/strict";
import { test } from "node:test";
import type { InboundContent, InboundEvent, InboundMedia } from "../../adapter.ts";
import { telegram } from "./adapter.ts";

function parse(update: unknown): InboundEvent[] {
  const receivedAt = new Date("2026-11-21T13:00:00Z");
  const body = Buffer.from(JSON.stringify(update));
  return telegram.parse({ body, headers: {}, query: {}, receivedAt }, { externalId: "987" });
}

// Payloads of channels.md §5.3.
const CHAT = { id: 1111111, first_name: "Test", username: "test", type: "private" };
const FROM = { id: 1111111, is_bot: false, first_name: "Test" };
const MEDIA = { file_id: "AgAC", file_unique_id: "AQAD" };
const FILE = { id: "AgAC", uniqueId: "AQAD" };

/** The members of a message beside its envelope, and what the inbox shows. */
const CONTENTS: readonly (readonly [
  string,
  own: object,
  content: Omit<InboundContent, "media">,
  media?: Partial<InboundMedia>,
])[] = [
  [
    "a photo with a caption: the largest size",
    {
      caption: "look",
      photo: [
        { ...MEDIA, file_id: "small", width: 90, height: 67, file_size: 1101 },
        { ...MEDIA, width: 800, height: 600, file_size: 65100 },
      ],
    },
    {
      type: "image",
      text: "look",
      attachments: [
        { type: "image", ...FILE, size: 65100, width: 800, height: 600, caption: "look" },
      ],
    },
    { kind: "image", mimeType: "image/jpeg", size: 65100 },
  ],
  [
    "a document",
    { document: { ...MEDIA, file_name: "bill.pdf", mime_type: "application/pdf", file_size: 9 } },
    {
      type: "document",
      text: null,
      attachments: [
        { type: "document", ...FILE, mimeType: "application/pdf", fileName: "bill.pdf", size: 9 },
      ],
    },
    { kind: "document", mimeType: "application/pdf", fileName: "bill.pdf", size: 9 },
  ],
  [
    "a video",
    {
      video: { ...MEDIA, width: 640, height: 480, duration: 3, mime_type: "video/mp4" },
      caption: "see",
    },
    {
      type: "video",
      text: "see",
      attachments: [
        {
          type: "video",
          ...FILE,
          mimeType: "video/mp4",
          width: 640,
          height: 480,
          duration: 3,
          caption: "see",
        },
      ],
    },
    { kind: "video", mimeType: "video/mp4" },
  ],
  [
    "a voice note",
    { voice: { ...MEDIA, duration: 2, mime_type: "audio/ogg" } },
    {
      type: "audio",
      text: null,
      attachments: [{ type: "audio", ...FILE, mimeType: "audio/ogg", duration: 2, voice: true }],
    },
    { kind: "audio", mimeType: "audio/ogg" },
  ],
  [
    "a song",
    { audio: { ...MEDIA, duration: 200, title: "Song", file_name: "s.mp3" } },
    {
      type: "audio",
      text: null,
      attachments: [{ type: "audio", ...FILE, fileName: "s.mp3", duration: 200, title: "Song" }],
    },
    { kind: "audio", fileName: "s.mp3" },
  ],
  [
    "an animation, which has a document too",
    { animation: { ...MEDIA, width: 1, height: 1, duration: 1 }, document: MEDIA },
    {
      type: "video",
      text: null,
      attachments: [{ type: "video", ...FILE, width: 1, height: 1, duration: 1, animated: true }],
    },
    { kind: "video", mimeType: "video/mp4" },
  ],
  [
    "a round video",
    { video_note: { ...MEDIA, length: 240, duration: 4 } },
    {
      type: "video",
      text: null,
      attachments: [{ type: "video", ...FILE, duration: 4, round: true }],
    },
    { kind: "video", mimeType: "video/mp4" },
  ],
  [
    "a sticker",
    { sticker: { ...MEDIA, emoji: "👍", width: 512, height: 512 } },
    {
      type: "sticker",
      text: "👍",
      attachments: [{ type: "sticker", ...FILE, width: 512, height: 512, emoji: "👍" }],
    },
    { kind: "sticker", mimeType: "image/webp" },
  ],
  [
    "a photo whose sizes come in another order",
    {
      photo: [
        { ...MEDIA, width: 800, height: 600 },
        { ...MEDIA, file_id: "small", width: 90, height: 67 },
      ],
    },
    {
      type: "image",
      text: null,
      attachments: [{ type: "image", ...FILE, width: 800, height: 600 }],
    },
    { kind: "image", mimeType: "image/jpeg" },
  ],
  [
    "an animated sticker",
    { sticker: { ...MEDIA, is_animated: true, is_video: false } },
    { type: "sticker", text: null, attachments: [{ type: "sticker", ...FILE }] },
    { kind: "sticker", mimeType: "application/x-tgsticker" },
  ],
  [
    "a video sticker",
    { sticker: { ...MEDIA, is_animated: false, is_video: true } },
    { type: "sticker", text: null, attachments: [{ type: "sticker", ...FILE }] },
    { kind: "sticker", mimeType: "video/webm" },
  ],
  [
    "a file without an id, which cannot be fetched",
    { document: { file_name: "x.pdf" } },
    { type: "document", text: null, attachments: [{ type: "document", fileName: "x.pdf" }] },
  ],
  [
    "a location",
    { location: { latitude: 29.3, longitude: 47.9 } },
    {
      type: "location",
      text: null,
      attachments: [{ type: "location", latitude: 29.3, longitude: 47.9 }],
    },
  ],
  [
    "a venue, which has a location too",
    {
      location: { latitude: 29.3, longitude: 47.9 },
      venue: { location: { latitude: 29.3, longitude: 47.9 }, title: "Shop", address: "Street 1" },
    },
    {
      type: "location",
      text: null,
      attachments: [
        { type: "location", latitude: 29.3, longitude: 47.9, name: "Shop", address: "Street 1" },
      ],
    },
  ],
  [
    "a contact, whose number is not taken for the sender's",
    { contact: { phone_number: "+96550001234", first_name: "Ali", user_id: 1111111 } },
    {
      type: "contacts",
      text: null,
      attachments: [
        { type: "contact", name: "Ali", userId: "1111111", phones: [{ phone: "+96550001234" }] },
      ],
    },
  ],
  [
    "a lone ball, which the platform rolls as a dice",
    { dice: { emoji: "\u26BD", value: 3 } },
    { type: "text", text: "\u26BD", attachments: [] },
  ],
  // Bot API, "WebAppData"; the values of a public bot's test.
  [
    "what a web app sent: the button that opened it, and its data",
    { web_app_data: { button_text: "Open Mini App", data: '{"action":"checkout"}' } },
    {
      type: "button",
      text: "Open Mini App",
      attachments: [{ type: "button", text: "Open Mini App", payload: '{"action":"checkout"}' }],
    },
  ],
  [
    "a poll, which we do not show",
    { poll: { id: "1", question: "?" } },
    {
      type: "unsupported",
      text: null,
      attachments: [{ type: "unsupported", originalType: "poll" }],
    },
  ],
  [
    "a forwarded answer in an album",
    {
      text: "this",
      reply_to_message: { message_id: 41 },
      forward_origin: {},
      media_group_id: "77",
    },
    {
      type: "text",
      text: "this",
      attachments: [
        { type: "quote", messageId: "1111111:41" },
        { type: "forwarded" },
        { type: "album", id: "77" },
      ],
    },
  ],
  [
    "a NUL and half a surrogate, as the database can hold them",
    { text: "a\0b\ud800" },
    { type: "text", text: "a\ufffdb\ufffd", attachments: [] },
  ],
];
for (const [name, own, content, media] of CONTENTS) {
  test(`inbound: ${name}`, () => {
    const message = { message_id: 1366, from: FROM, chat: CHAT, date: 1441645600, ...own };
    const [event, ...more] = parse({ update_id: 10001, message });
    assert.ok(event?.kind === "message" && more.length === 0);
    const { media: found = [], ...rest } = event.content;
    assert.deepEqual(rest, content);
    const file = {
      attachment: 0,
      source: { id: "AgAC" },
      mimeType: null,
      fileName: null,
      size: null,
    };
    assert.deepEqual(found, media === undefined ? [] : [{ ...file, ...media }]);
  });
}
