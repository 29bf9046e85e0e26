import { OPERATOR } from "../../src/actor.ts";
import { AGENT } from "../actors.ts";
import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { after, afterEach, before, beforeEach, test } from "node:test";
import { createWhatsAppEmulator, type WhatsAppEmulator } from "@parley/emulators";
import type { FastifyInstance } from "fastify";
import { connectChannel } from "../../src/channels/connect-channel.ts";
import { sql } from "../../src/db/sql.ts";
import { buildHttp } from "../../src/http/server.ts";
import { uploadMedia } from "../../src/media/upload-media.ts";
import { acceptMessage } from "../../src/messages/accept/accept-message.ts";
import { createWorkspace } from "../../src/workspaces/create-workspace.ts";
import { FILES } from "../files.ts";
import { startTestApp, type TestApp } from "../harness.ts";
import { whatsAppFault } from "../oracles/sent-documents.ts";

/** Files both ways over real HTTP: our server, its files, and the emulated Cloud API. */
const CUSTOMER = "96550001234";

let t: TestApp;
let server: FastifyInstance;
let base: string;
let meta: WhatsAppEmulator;
before(async () => {
  t = await startTestApp();
  server = await buildHttp(t.app);
  base = await server.listen({ host: "127.0.0.1", port: 0 });
  Object.assign(t.app.config, { publicUrl: base });
  meta = await createWhatsAppEmulator({ delivery: "manual", clock: t.clock });
});
after(async () => {
  await meta.close();
  await server.close();
  await t[Symbol.asyncDispose]();
});
beforeEach(() => meta.clear());
afterEach(() => {
  for (const { path, body } of meta.requests())
    if (path.endsWith("/messages")) assert.equal(whatsAppFault(body), null);
});

interface Shop {
  readonly workspaceId: string;
  readonly channelId: string;
  readonly phoneNumberId: string;
}
let numbers = 0;
async function openShop(): Promise<Shop> {
  const phoneNumberId = String(106540352243000 + ++numbers);
  const { id: workspaceId } = await createWorkspace(OPERATOR, t.app, {
    name: "Shop",
    plan: "business",
  });
  const accessToken = `EAAB${phoneNumberId}`;
  const account = { phoneNumberId, wabaId: "102290129340398", accessToken, appSecret: "secret-1" };
  const channel = await connectChannel(OPERATOR, t.app, workspaceId, {
    type: "WHATSAPP",
    name: "Shop",
    ...account,
    verifyToken: "verify-1",
    apiUrl: meta.url,
  });
  meta.addNumber({ ...account, webhook: { url: `${base}/hooks/whatsapp/${channel.id}` } });
  return { workspaceId, channelId: channel.id, phoneNumberId };
}

interface Shown {
  readonly type: string;
  readonly status: string;
  readonly url: string;
  readonly mimeType: string;
  readonly fileName: string | null;
  readonly reason?: string;
  readonly voice?: boolean;
}
interface Stored {
  readonly id: string;
  readonly conversation_id: string;
  readonly text: string | null;
  readonly status: string;
  readonly error_code: string | null;
  readonly error_message: string | null;
  readonly attachments: Shown[];
}
const messages = (shop: Shop, direction: "inbound" | "outbound"): Promise<Stored[]> =>
  t.app.db.query(
    sql`select * from message where workspace_id = ${shop.workspaceId} and direction = ${direction} order by id`,
  );

async function hears(shop: Shop, from = CUSTOMER): Promise<string> {
  meta.inbound({ phoneNumberId: shop.phoneNumberId, from, text: "hello" });
  await meta.flush();
  return (await messages(shop, "inbound")).at(-1)?.conversation_id ?? assert.fail("not heard");
}
async function replies(
  shop: Shop,
  conversationId: string,
  bytes: Buffer,
  fileName: string,
  text: string | null = null,
): Promise<void> {
  const body = Readable.from([bytes]);
  const { id } = await uploadMedia(OPERATOR, t.app, shop.workspaceId, { fileName, body });
  const attachments = [id];
  await acceptMessage(AGENT, t.app, shop.workspaceId, { conversationId, text, attachments });
}
/** Rounds with time between them, for what is tried again. */
async function rounds(count: number): Promise<void> {
  for (let round = 0; round < count; round++) {
    await t.app.drain();
    t.clock.advance(120_000);
  }
}

test("what a customer sends is fetched with the token, kept, and served after the platform has forgotten it", async () => {
  const shop = await openShop();
  const sends = [
    { type: "image", bytes: FILES.jpeg, mimeType: "image/jpeg", caption: "انظر" },
    { type: "audio", bytes: FILES.ogg, mimeType: "audio/ogg; codecs=opus", voice: true },
    { type: "video", bytes: FILES.mp4, mimeType: "video/mp4" },
    { type: "document", bytes: FILES.pdf, mimeType: "application/pdf", fileName: "فاتورة.pdf" },
    { type: "sticker", bytes: FILES.webp, mimeType: "image/webp", animated: false },
  ] as const;
  for (const file of sends)
    meta.inbound({ phoneNumberId: shop.phoneNumberId, from: CUSTOMER, file });
  await meta.flush();
  assert.ok(
    (await messages(shop, "inbound")).every((one) => one.attachments[0]?.status === "pending"),
  );
  await t.app.drain();
  t.clock.advance(30 * 86_400_000);
  const stored = await messages(shop, "inbound");
  assert.equal(stored.length, sends.length);
  for (const { type, bytes } of sends) {
    const file = stored.flatMap((one) => one.attachments).find((one) => one.type === type);
    assert.equal(file?.status, "stored", type);
    const answer = await fetch(file.url);
    assert.equal(answer.status, 200);
    assert.deepEqual(Buffer.from(await answer.arrayBuffer()), bytes);
  }
  const facts = (type: string) =>
    stored.flatMap((one) => one.attachments).find((one) => one.type === type);
  assert.equal(facts("document")?.fileName, "فاتورة.pdf");
  assert.equal(facts("audio")?.voice, true);
  assert.ok(stored.some((one) => one.text === "انظر"));
});

test("a file server that is away for a while costs time only: each try asks for a new address", async () => {
  const shop = await openShop();
  const file = { type: "image", bytes: FILES.jpeg, mimeType: "image/jpeg" } as const;
  meta.inbound({ phoneNumberId: shop.phoneNumberId, from: CUSTOMER, file });
  await meta.flush();
  meta.fault({ kind: "status", status: 503, on: "download" });
  meta.fault({ kind: "cut", on: "download" });
  meta.fault({ kind: "status", status: 404, on: "download" });
  for (const minutes of [1, 10, 20]) {
    await t.app.drain();
    assert.equal((await messages(shop, "inbound"))[0]?.attachments[0]?.status, "pending");
    t.clock.advance(minutes * 60_000);
  }
  await t.app.drain();
  assert.equal((await messages(shop, "inbound"))[0]?.attachments[0]?.status, "stored");
  assert.equal(meta.requests().filter(({ path }) => /\/\d{16}$/.test(path)).length, 4);
});

test("a file that the platform has no more is told as gone, and the message stays", async () => {
  const shop = await openShop();
  const file = {
    type: "document",
    bytes: FILES.pdf,
    mimeType: "application/pdf",
    caption: "bill",
  } as const;
  meta.inbound({ phoneNumberId: shop.phoneNumberId, from: CUSTOMER, file });
  await meta.flush();
  t.clock.advance(8 * 86_400_000);
  await t.app.drain();
  const [message] = await messages(shop, "inbound");
  const [attachment] = message?.attachments ?? [];
  assert.deepEqual(
    [message?.text, attachment?.status, attachment?.reason],
    ["bill", "failed", "gone"],
  );
});

test("a picture goes up once and out by its id with its caption, and its statuses move the message", async () => {
  const shop = await openShop();
  const conversationId = await hears(shop);
  await replies(shop, conversationId, FILES.png, "photo.png", "look");
  await t.app.drain();
  const [sent, ...others] = meta.messages();
  assert.equal(others.length, 0);
  assert.deepEqual([sent?.type, sent?.text], ["image", "look"]);
  assert.deepEqual(meta.media.find(String(sent?.media?.["id"]))?.bytes, FILES.png);
  await meta.flush();
  const [message] = await messages(shop, "outbound");
  assert.equal(message?.status, "read");
});

test("a document goes with its name; a voice note with words goes as two sends of one message", async () => {
  const shop = await openShop();
  const conversationId = await hears(shop);
  await replies(shop, conversationId, FILES.pdf, "فاتورة.pdf");
  await replies(shop, conversationId, FILES.ogg, "note.ogg", "listen");
  await rounds(2);
  await meta.flush();
  assert.deepEqual(
    meta.messages().map(({ type, text, media }) => [type, text, media?.["filename"]]),
    [
      ["document", null, "فاتورة.pdf"],
      ["text", "listen", undefined],
      ["audio", null, undefined],
    ],
  );
  const stored = await messages(shop, "outbound");
  assert.deepEqual(
    stored.map(({ status }) => status),
    ["read", "read"],
  );
});

test("a document without its ending gets it: the customer's phone goes by it", async () => {
  const shop = await openShop();
  const conversationId = await hears(shop);
  await replies(shop, conversationId, FILES.pdf, "فاتورة");
  await replies(shop, conversationId, FILES.pdf, "ف".repeat(255));
  await rounds(2);
  assert.deepEqual(
    meta.messages().map(({ media }) => media?.["filename"]),
    ["فاتورة.pdf", `${"ف".repeat(236)}.pdf`],
  );
});

test("uploads that break are made again and the customer gets the file once; a lost answer is never repeated", async () => {
  const shop = await openShop();
  const conversationId = await hears(shop);
  for (const kind of ["drop", "html", "truncated"] as const) meta.fault({ kind, on: "upload" });
  await replies(shop, conversationId, FILES.png, "photo.png");
  await rounds(6);
  await meta.flush();
  assert.equal(meta.messages().length, 1);
  assert.equal((await messages(shop, "outbound"))[0]?.status, "read");

  const lost = await hears(shop, "99950000911");
  await replies(shop, lost, FILES.png, "photo.png");
  await rounds(3);
  assert.equal(meta.messages().length, 2);
  await meta.flush();
  assert.equal((await messages(shop, "outbound"))[1]?.status, "read");
  assert.deepEqual(meta.ledger.repeated(), []);
});

test("what the platform refuses, at once or later, is on the message with its code", async () => {
  const shop = await openShop();
  const conversationId = await hears(shop);
  meta.fault({ kind: "code", code: 131053, on: "upload", next: 2 });
  await replies(shop, conversationId, FILES.png, "photo.png");
  await t.app.drain();
  t.clock.advance(5_000);
  await t.app.drain();
  const [refused] = await messages(shop, "outbound");
  assert.deepEqual([refused?.status, refused?.error_code], ["failed", "131053"]);
  await replies(shop, await hears(shop, "99950000053"), FILES.png, "photo.png");
  await t.app.drain();
  await meta.flush();
  const [, later] = await messages(shop, "outbound");
  assert.deepEqual([later?.status, later?.error_code], ["failed", "131053"]);
});

test("a file that the platform could not take at first goes when it is tried once more", async () => {
  const shop = await openShop();
  const conversationId = await hears(shop);
  meta.fault({ kind: "code", code: 131053, on: "upload" });
  await replies(shop, conversationId, FILES.png, "photo.png");
  await t.app.drain();
  assert.equal((await messages(shop, "outbound"))[0]?.status, "sent");
  assert.equal(meta.messages().length, 0);
  t.clock.advance(5_000);
  await t.app.drain();
  await meta.flush();
  assert.equal((await messages(shop, "outbound"))[0]?.status, "read");
  assert.deepEqual(meta.ledger.repeated(), []);
});
