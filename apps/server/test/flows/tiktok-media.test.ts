import { OPERATOR } from "../../src/actor.ts";
import { AGENT } from "../actors.ts";
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { sql } from "../../src/db/sql.ts";
import { uploadMedia } from "../../src/media/upload-media.ts";
import { acceptMessage } from "../../src/messages/accept/accept-message.ts";
import { CUSTOMER, startTikTokBench, type TikTokBench, type TikTokShop } from "../tiktok-bench.ts";

let bench: TikTokBench;
before(async () => {
  bench = await startTikTokBench();
});
after(() => bench[Symbol.asyncDispose]());
beforeEach(() => bench.clear());

const JPEG = Buffer.concat([
  Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 0x10]),
  Buffer.from("JFIF\0\x01\x01 a picture"),
]);
const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

async function sendPicture(
  shop: TikTokShop,
  text: string | null = null,
  [fileName, mimeType, bytes]: readonly [string, string, Buffer] = ["a.png", "image/png", PNG],
): Promise<string> {
  async function* body() {
    yield bytes;
  }
  const upload = { fileName, mimeType, body: body() };
  const { id } = await uploadMedia(OPERATOR, bench.t.app, shop.workspaceId, upload);
  const conversationId = await bench.conversationOf(shop.workspaceId);
  const input = { conversationId, text, attachments: [id] };
  return (await acceptMessage(AGENT, bench.t.app, shop.workspaceId, input)).id;
}

async function lastAttachment(shop: TikTokShop): Promise<Record<string, unknown> | undefined> {
  const rows = await bench.t.app.db.query<{ attachments: Record<string, unknown>[] }>(sql`
    select attachments from message where workspace_id = ${shop.workspaceId} order by id desc limit 1`);
  return rows[0]?.attachments[0];
}

test("a customer's picture is asked for with the token, fetched and kept by us", async () => {
  const shop = await bench.openShop();
  const file = { kind: "image" as const, bytes: JPEG, mimeType: "image/jpeg" };
  bench.tiktok.inbound({ businessId: shop.businessId, from: CUSTOMER, name: "mona", file });
  await bench.tiktok.flush();
  assert.equal((await lastAttachment(shop))?.["status"], "pending");
  await bench.t.app.drain();
  const attachment = await lastAttachment(shop);
  assert.deepEqual(
    [attachment?.["type"], attachment?.["status"], attachment?.["mimeType"], attachment?.["size"]],
    ["image", "stored", "image/jpeg", JPEG.length],
  );
});

test("a file whose address cannot be had is tried again, and one that is gone says so", async () => {
  const shop = await bench.openShop();
  const say = () => {
    const file = { kind: "image" as const, bytes: JPEG, mimeType: "image/jpeg" };
    bench.tiktok.inbound({ businessId: shop.businessId, from: CUSTOMER, name: "mona", file });
    return bench.tiktok.flush();
  };
  bench.tiktok.fault({ kind: "code", code: 50002, on: "media" });
  bench.tiktok.fault({ kind: "status", status: 503, on: "download" });
  await say();
  await bench.t.app.drain();
  assert.equal((await lastAttachment(shop))?.["status"], "pending");
  for (const ms of [10_000, 60_000]) {
    bench.t.clock.advance(ms);
    await bench.t.app.drain();
  }
  assert.equal((await lastAttachment(shop))?.["status"], "stored");
  bench.tiktok.fault({ kind: "code", code: 40007, on: "media" });
  await say();
  await bench.t.app.drain();
  assert.equal((await lastAttachment(shop))?.["status"], "failed");
  // Trouble with a file is no trouble of the account.
  assert.equal(await bench.statusOf(shop), "connected");
});

for (const url of [
  "http://169.254.169.254/latest/meta-data",
  "https://10.0.0.1/sticker.webp",
  "https://[::1]/sticker.webp",
  "ftp://files.example/sticker.webp",
]) {
  test(`a sticker at ${url} is not fetched: the address is not one of the public network`, async () => {
    const shop = await bench.openShop();
    const message = { type: "sticker", sticker: { url } };
    bench.tiktok.inbound({ businessId: shop.businessId, from: CUSTOMER, message });
    await bench.tiktok.flush();
    await bench.t.app.drain();
    assert.equal((await lastAttachment(shop))?.["status"], "failed");
  });
}

test("a sticker with a public address is fetched from there without a token", async () => {
  const shop = await bench.openShop();
  const bytes = Buffer.from("RIFF\x24\0\0\0WEBPVP8L\x18\0\0\0", "latin1");
  const file = { kind: "sticker" as const, bytes, mimeType: "image/webp" };
  bench.tiktok.inbound({ businessId: shop.businessId, from: CUSTOMER, file });
  await bench.tiktok.flush();
  await bench.t.app.drain();
  const attachment = await lastAttachment(shop);
  assert.deepEqual([attachment?.["status"], attachment?.["mimeType"]], ["stored", "image/webp"]);
});

test("a picture is uploaded and sent; its echo is no second message and its reading is told", async () => {
  const shop = await bench.openShop();
  await bench.write(shop);
  bench.t.clock.advance(1000);
  const id = await sendPicture(shop);
  await bench.t.app.drain();
  const [sent, ...more] = bench.tiktok.messages();
  assert.deepEqual([sent?.type, more], ["IMAGE", []]);
  assert.deepEqual(sent?.file?.bytes, PNG);
  bench.t.clock.advance(1000);
  await bench.settle();
  assert.equal((await bench.stored(shop, id))?.status, "read");
  const rows = await bench.t.app.db.query(
    sql`select 1 from message where workspace_id = ${shop.workspaceId}`,
  );
  assert.equal(rows.length, 2);
});

test("an upload that fails is made again; the picture goes once", async () => {
  const shop = await bench.openShop();
  await bench.write(shop);
  bench.t.clock.advance(1000);
  bench.tiktok.fault({ kind: "drop", accepted: true, on: "upload" });
  bench.tiktok.fault({ kind: "code", code: 50002, on: "upload" });
  const id = await sendPicture(shop);
  for (let round = 0; round < 3; round++) {
    await bench.t.app.drain();
    bench.t.clock.advance(30_000);
  }
  await bench.settle();
  assert.equal(bench.tiktok.messages().length, 1);
  assert.equal((await bench.stored(shop, id))?.status, "read");
  assert.deepEqual(bench.tiktok.ledger.repeated(), []);
});

test("a lost answer to the send of a picture is settled by its echo, never by a second send", async () => {
  const shop = await bench.openShop();
  await bench.write(shop);
  bench.t.clock.advance(1000);
  bench.tiktok.fault({ kind: "drop", accepted: true });
  const id = await sendPicture(shop);
  await bench.t.app.drain();
  assert.equal(bench.tiktok.messages().length, 1);
  bench.t.clock.advance(1000);
  await bench.settle();
  assert.equal((await bench.stored(shop, id))?.status, "read");
  bench.t.clock.advance(3_600_000);
  await bench.settle();
  assert.equal(bench.tiktok.messages().length, 1);
});

test("what TikTok does not take is refused before anything is stored", async () => {
  const shop = await bench.openShop();
  await bench.write(shop);
  const pdf = ["a.pdf", "application/pdf", Buffer.from("%PDF-1.4\n")] as const;
  await assert.rejects(sendPicture(shop, null, pdf), /VALIDATION_FAILED|does not take/);
  assert.equal((await bench.messagesOf(shop)).length, 1);
});
