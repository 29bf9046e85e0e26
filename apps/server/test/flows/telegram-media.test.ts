import { OPERATOR } from "../../src/actor.ts";
import { AGENT } from "../actors.ts";
import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import type { FileKind } from "@parley/emulators";
import { sql } from "../../src/db/sql.ts";
import { uploadMedia } from "../../src/media/upload-media.ts";
import { acceptMessage } from "../../src/messages/accept/accept-message.ts";
import { SECRET, startTelegramBench, type Shop, type TelegramBench } from "../telegram-bench.ts";

let bench: TelegramBench;
before(async () => {
  bench = await startTelegramBench();
});
after(() => bench[Symbol.asyncDispose]());
afterEach(() => bench.checkAndClear());

const MB = 1024 * 1024;
const JPEG = Buffer.concat([
  Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 0x10]),
  Buffer.from("JFIF\0\x01\x01 a picture"),
]);
const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const PDF = Buffer.from("%PDF-1.4\n%a document\n");

async function sendFile(
  shop: Shop,
  conversationId: string,
  files: readonly (readonly [name: string, type: string, bytes: Buffer])[],
  text: string | null = null,
): Promise<string> {
  const attachments: string[] = [];
  for (const [fileName, mimeType, bytes] of files) {
    async function* body() {
      yield bytes;
    }
    const media = await uploadMedia(OPERATOR, bench.t.app, shop.workspaceId, {
      fileName,
      mimeType,
      body: body(),
    });
    attachments.push(media.id);
  }
  const input = { conversationId, text, attachments };
  return (await acceptMessage(AGENT, bench.t.app, shop.workspaceId, input)).id;
}

const attachmentOf = async (shop: Shop) => (await bench.messages(shop)).at(-1)?.attachments[0];

test("a customer's file of every kind is fetched by its id, kept by us, and given out at our own address", async () => {
  const shop = await bench.openShop();
  const sara = bench.stranger();
  const kinds: readonly (readonly [FileKind, type: string, bytes: Buffer, ours: string])[] = [
    ["photo", "image", JPEG, "image/jpeg"],
    ["document", "document", PDF, "application/pdf"],
    ["sticker", "sticker", Buffer.from("RIFF\x24\0\0\0WEBPVP8L\x18\0\0\0", "latin1"), "image/webp"],
  ];
  for (const [kind, type, bytes, ours] of kinds) {
    const file = { kind, bytes, mimeType: ours, name: "a.bin", caption: "look" };
    bench.bots.inbound({ botId: shop.botId, from: sara, name: "Sara", file });
    await bench.bots.flush();
    assert.equal((await attachmentOf(shop))?.["status"], "pending");
    await bench.t.app.drain();
    const attachment = await attachmentOf(shop);
    assert.deepEqual(
      [
        attachment?.["type"],
        attachment?.["status"],
        attachment?.["mimeType"],
        attachment?.["size"],
      ],
      [type, "stored", ours, bytes.length],
      kind,
    );
    const answer = await fetch(String(attachment?.["url"]));
    assert.equal(answer.status, 200);
    assert.deepEqual(Buffer.from(await answer.arrayBuffer()), bytes);
  }
  // The largest size of the photo: the small one is no file of the emulator's.
  const asked = bench.bots.requests().filter(({ path }) => path.endsWith("/getFile"));
  assert.equal(asked.length, kinds.length);
});

test("a file over 20 MB, one on a --local server, and one whose look-up fails for good say why; an outage is tried again", async () => {
  const shop = await bench.openShop();
  const sara = bench.stranger();
  const say = async (bytes: Buffer) => {
    const file = { kind: "document" as const, bytes, mimeType: "application/pdf" };
    bench.bots.inbound({ botId: shop.botId, from: sara, name: "Sara", file });
    await bench.bots.flush();
    await bench.t.app.drain();
    return attachmentOf(shop);
  };
  assert.equal((await say(Buffer.alloc(20 * MB + 1)))?.["status"], "failed");
  bench.bots.fault({ kind: "code", code: 500, on: "media" });
  bench.bots.fault({ kind: "status", status: 502, on: "download" });
  assert.equal((await say(PDF))?.["status"], "pending");
  bench.t.clock.advance(10_000);
  await bench.t.app.drain();
  bench.t.clock.advance(60_000);
  await bench.t.app.drain();
  assert.equal((await attachmentOf(shop))?.["status"], "stored");
  const rows = await bench.t.app.db.query<{ row: string }>(sql`select media::text as row from media
    where workspace_id = ${shop.workspaceId} union all select message::text from message
    where workspace_id = ${shop.workspaceId}`);
  assert.ok(rows.length >= 4);
  assert.ok(rows.every(({ row }) => !row.includes(SECRET)));
  assert.equal(bench.logged().includes(SECRET), false);
});

test("a picture with words goes in one call as a photo with its caption, and its bytes arrive", async () => {
  const shop = await bench.openShop();
  const conversationId = await bench.write(shop, bench.stranger());
  const id = await sendFile(shop, conversationId, [["a.png", "image/png", PNG]], "<b>أهلا</b> 😀");
  await bench.t.app.drain();
  const [sent, ...more] = bench.bots.messages();
  assert.ok(sent?.file && more.length === 0);
  assert.deepEqual([sent.method, sent.text], ["sendPhoto", "<b>أهلا</b> 😀"]);
  assert.deepEqual(bench.bots.bot(shop.botId).file(sent.file.fileId)?.bytes, PNG);
  const stored = (await bench.outbound(shop)).find((one) => one.id === id);
  assert.equal(stored?.status, "sent");
});

test("several files go one after another, once each, and a document by its own method", async () => {
  const shop = await bench.openShop();
  const conversationId = await bench.write(shop, bench.stranger());
  await sendFile(shop, conversationId, [
    ["a.png", "image/png", PNG],
    ["bill.pdf", "application/pdf", PDF],
  ]);
  for (let round = 0; round < 5; round++) await bench.t.app.drain();
  assert.deepEqual(
    bench.bots.messages().map(({ method, file }) => [method, file?.name]),
    [
      ["sendPhoto", "a.png"],
      ["sendDocument", "bill.pdf"],
    ],
  );
  assert.deepEqual(bench.bots.ledger.repeated(), []);
});

test("a lost answer to a file is never sent again; a throttle waits and sends once", async () => {
  const shop = await bench.openShop();
  const conversationId = await bench.write(shop, bench.stranger());
  bench.bots.fault({ kind: "drop", accepted: true });
  await sendFile(shop, conversationId, [["a.png", "image/png", PNG]]);
  for (let minute = 0; minute < 20; minute++) {
    await bench.t.app.drain();
    bench.t.clock.advance(60_000);
  }
  await bench.t.app.drain();
  assert.equal(bench.bots.ledger.total, 1);
  assert.equal((await bench.outbound(shop)).at(-1)?.error_code, "OUTCOME_UNKNOWN");
  bench.bots.fault({ kind: "code", code: 429, retryAfter: 7 });
  await sendFile(shop, conversationId, [["b.pdf", "application/pdf", PDF]]);
  await bench.t.app.drain();
  bench.t.clock.advance(6_999);
  await bench.t.app.drain();
  assert.equal(bench.bots.ledger.total, 1);
  bench.t.clock.advance(1);
  await bench.t.app.drain();
  assert.deepEqual([bench.bots.ledger.total, bench.bots.ledger.repeated()], [2, []]);
});

test("what the platform says of a picture that it does not take is the message's reason", async () => {
  const shop = await bench.openShop();
  const conversationId = await bench.write(shop, bench.stranger());
  bench.bots.fault({ kind: "code", code: 400, details: "Bad Request: WRONG_FILE" });
  await sendFile(shop, conversationId, [["a.png", "image/png", PNG]]);
  await bench.t.app.drain();
  const stored = (await bench.outbound(shop)).at(-1);
  assert.deepEqual([stored?.status, stored?.error_code], ["failed", "400"]);
});

test("a picture that is too long for a photo, and one that cannot be read, go as documents, once", async () => {
  const shop = await bench.openShop();
  const customer = bench.stranger();
  const conversationId = await bench.write(shop, customer);
  const long = Buffer.concat([PNG, Buffer.alloc(16)]);
  // Width and height of the header: a screenshot of a whole page.
  long.writeUInt32BE(400, 16);
  long.writeUInt32BE(9_601, 20);
  await sendFile(shop, conversationId, [["page.png", "image/png", long]]);
  await bench.t.app.drain();
  const [sent] = bench.bots.messages();
  assert.deepEqual([sent?.method, sent?.file?.name], ["sendDocument", "page.png"]);
  const stored = (await bench.outbound(shop)).at(-1);
  assert.deepEqual([stored?.status, stored?.error_code], ["sent", null]);
  assert.deepEqual([bench.bots.ledger.total, bench.bots.ledger.repeated()], [1, []]);
  bench.bots.fault({
    kind: "code",
    code: 400,
    details: "Bad Request: IMAGE_PROCESS_FAILED",
    next: 2,
  });
  await sendFile(shop, conversationId, [["b.png", "image/png", PNG]]);
  await bench.t.app.drain();
  assert.equal((await bench.outbound(shop)).at(-1)?.status, "failed", "asked twice, and no more");
  assert.equal(bench.bots.ledger.total, 1);
});
