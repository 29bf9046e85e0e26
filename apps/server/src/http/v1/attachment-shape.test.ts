import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import path from "node:path";
import { test } from "node:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import {
  readMessagingContent as messaging,
  readReferral,
} from "../../channels/adapters/meta/messaging-content.ts";
import { readTelegramContent as telegram } from "../../channels/adapters/telegram/content.ts";
import { readTikTokContent as tiktok } from "../../channels/adapters/tiktok/content.ts";
import { readWhatsAppContent as whatsapp } from "../../channels/adapters/whatsapp/content.ts";
import { choicesAttachment } from "../../messages/record/choices.ts";
import { presentMedia } from "../../media/media.ts";
import { openapiDocument } from "../openapi/openapi.ts";
import { AttachmentJson } from "../../wire/attachment.ts";
import { MessageJson } from "../../wire/message.ts";

interface Content {
  readonly type: string;
  readonly attachments: readonly unknown[];
}

const ID = "wamid.1";
const file = { id: "77", mime_type: "image/png", sha256: "x", caption: "c", filename: "f" };
const place = { latitude: 29.3, longitude: 47.9, name: "Souq", address: "Kuwait" };
const card = { name: { formatted_name: "Ann" }, phones: [{ phone: "1", wa_id: "1", type: "CELL" }], emails: [{ email: "a@b.co" }], org: { company: "C" } }; // oxfmt-ignore
const reply = (type: string, own: object) => ({
  type: "interactive",
  interactive: { type, [type]: own },
});

const WHATSAPP: readonly object[] = [
  ...["image", "audio", "video", "document", "sticker"].map((type) => ({ type, [type]: file })),
  { type: "audio", audio: { id: "1", voice: true } },
  { type: "sticker", sticker: { id: "1", animated: true } },
  { type: "location", location: place },
  { type: "contacts", contacts: [card] },
  { type: "button", button: { text: "Yes", payload: "Y" } },
  reply("list_reply", { id: "1", title: "Blue", description: "the blue one" }),
  reply("button_reply", { id: "1", title: "Blue" }),
  reply("call_permission_reply", { response: "accept", is_permanent: false, expiration_timestamp: "1768550400" }),
  reply("nfm_reply", { name: "flow", body: "Sent", response_json: "{}" }),
  { type: "order", order: { catalog_id: "c", product_items: [{ product_retailer_id: "p", quantity: 2, item_price: 1.5, currency: "KWD" }] } },
  { type: "reaction", reaction: { message_id: ID, emoji: "👍" } },
  { type: "reaction", reaction: { message_id: ID, emoji: "" } },
  { type: "unsupported", errors: [{ code: 131052, title: "Media download error" }] },
  { type: "text", text: { body: "x" }, context: { id: ID, forwarded: true, referred_product: { product_retailer_id: "p", catalog_id: "c" } }, referral: { source_id: "1", source_url: "https://fb.me", source_type: "ad", headline: "h", body: "b", ctwa_clid: "k" } },
]; // oxfmt-ignore

const attached = (type: string, payload: object) => ({ attachments: [{ type, payload }] });
const MESSAGING: readonly object[] = [
  ...["image", "video", "audio", "file", "story_mention", "share", "ig_reel", "template"].map((type) => attached(type, { url: "https://cdn.example/1", title: "t" })),
  attached("image", { url: "https://cdn.example/1", sticker_id: 369239263222822 }),
  attached("like_heart", {}),
  attached("location", { coordinates: { lat: 29.3, long: 47.9 } }),
  attached("template", { product: { elements: [{ id: "1", retailer_id: "sku", image_url: "https://cdn.example/1", title: "t", subtitle: "$20" }] } }),
  attached("template", { template_type: "button", text: "t", buttons: [{ type: "postback", title: "Yes", payload: "Y" }] }),
  attached("fallback", { url: "https://x.example", title: "t" }),
  attached("hologram", {}),
  { text: "Yes", quick_reply: { payload: "Y" }, reply_to: { mid: "m_1" } },
  { text: "nice", reply_to: { story: { id: "1", url: "https://cdn.example/s" } } },
]; // oxfmt-ignore

const TELEGRAM: readonly object[] = [
  { photo: [{ file_id: "f", file_unique_id: "u", width: 1, height: 1, file_size: 3 }], media_group_id: "9", caption: "c" },
  { voice: { file_id: "f", duration: 3, mime_type: "audio/ogg" }, reply_to_message: { message_id: 5 } },
  { animation: { file_id: "f", width: 1, height: 1, duration: 1 } },
  { sticker: { file_id: "f", emoji: "🌹", is_animated: true } },
  { venue: { location: place, title: "Souq", address: "Kuwait" }, forward_origin: {} },
  { location: { ...place, live_period: 60 } },
  { contact: { first_name: "Ann", phone_number: "1", user_id: 5 } },
  { text: "/start promo42" },
  { web_app_data: { button_text: "Order", data: "{}" } },
  { message_id: 1, poll: {} },
]; // oxfmt-ignore

const TIKTOK: readonly object[] = [
  { type: "image", image: { media_id: "1" }, message_id: "2", conversation_id: "3" },
  { type: "sticker", sticker: { url: "https://cdn.example/1" } },
  { type: "share_post", share_post: { embed_url: "https://www.tiktok.com/1", video_id: "1" } },
  { type: "emoji", emoji: { url: "https://cdn.example/1" }, referenced_message_info: { referenced_message_id: "1" } },
  { type: "template", template: { elements: [{ title: "t", buttons: [{ text: "b", type: "REPLY", id: "1" }] }] } },
  { type: "reaction", reaction: [{ operation: "ADD", ai_emoji_url: "https://cdn.example/1", original_msg_id: "1" }] },
  { type: "text", text: { body: "x" }, referral: { source: "ad", ad: { ad_id: "1" } } },
]; // oxfmt-ignore

const read: readonly Content[] = [
  ...WHATSAPP.flatMap((one) => whatsapp(one as Record<string, unknown>)?.content ?? []),
  ...MESSAGING.map((one) => messaging(one as Record<string, unknown>)),
  { type: "referral", attachments: [readReferral({ ref: "r", source: "ADS", type: "OPEN_THREAD", ad_id: "1", ads_context_data: { ad_title: "h", product_id: "p" } })] },
  ...TELEGRAM.flatMap((one) => telegram(one as Record<string, unknown>, "7") ?? []),
  ...TIKTOK.map((one) => tiktok(one as Record<string, unknown>).content),
  { type: "deleted", attachments: [{ type: "deleted", at: "2026-11-21T10:00:00.000Z" }] },
  { type: "template", attachments: [] },
  { type: "text", attachments: [choicesAttachment([{ text: "Yes", payload: "y" }])] },
  { type: "image", attachments: [
    presentMedia({ id: ID, kind: "image", mimeType: null, fileName: null, size: 3 }, "https://parley.example/media/1"),
    { type: "image", mediaId: ID, url: "https://parley.example/media/1", status: "failed", reason: "gone", detail: "404" },
    { type: "edited", at: "2026-11-21T10:00:00.000Z" },
  ] },
]; // oxfmt-ignore

const guide = readFileSync(
  path.join(import.meta.dirname, "../../../../../docs/messages.md"),
  "utf8",
);

test("what messages hold fits the document, which names every type of message and attachment, as docs/messages.md does", () => {
  const document = openapiDocument();
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  formats.default(ajv);
  ajv.addSchema(document, "d");
  const told = (heading: string) => {
    const part = guide.split(`\n## ${heading}\n`)[1]?.split("\n## ")[0] ?? "";
    const rows = [...part.matchAll(/^\| (`[^|]*) \|/gm)].map(([, cell = ""]) => cell).slice(1);
    return new Set(rows.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, word]) => word)));
  };
  const named = (type: object) =>
    new Set([...JSON.stringify(type).matchAll(/`(\w+)`/g)].map(([, word]) => word));
  const types = new Set(read.map((content) => content.type));
  const kinds = new Set<unknown>();
  for (const attachment of read.flatMap((content) => content.attachments)) {
    assert.ok(ajv.validate("d#/components/schemas/Attachment", attachment), `${JSON.stringify(attachment)}: ${ajv.errorsText()}`);
    kinds.add(Object(attachment).type);
  } // oxfmt-ignore
  assert.deepEqual(named(MessageJson.properties.type), types);
  assert.deepEqual(told("`type`"), types);
  assert.deepEqual(named(AttachmentJson.properties.type), kinds);
  assert.deepEqual(told("`attachments`"), kinds);
});

test("docs/messages.md: its code waits for a file that is being fetched, and gives up on one that never came", async () => {
  const [, code = ""] = /^```js\n([^]*?)^```/m.exec(guide) ?? [];
  const { fetchFile } = await import(`data:text/javascript,${encodeURIComponent(code)}`);
  const answers = [503, 503, 200, 404];
  await using server = createServer((_, response) => {
    response.writeHead(answers.shift() ?? 500, { "retry-after": "0" }).end("bytes");
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const address = server.address();
  assert.ok(typeof address === "object" && address !== null);
  const url = `http://127.0.0.1:${address.port}/media/1/x`;
  assert.equal(new TextDecoder().decode(await fetchFile({ url })), "bytes");
  assert.equal(await fetchFile({ url }), null);
  assert.deepEqual(answers, []);
});
