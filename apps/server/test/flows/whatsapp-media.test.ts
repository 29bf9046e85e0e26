import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { createWhatsAppEmulator, type WhatsAppEmulator } from "@parley/emulators";
import type { FastifyInstance } from "fastify";
import { connectChannel } from "../../src/channels/connect-channel.ts";
import { whatsapp } from "../../src/channels/adapters/whatsapp/adapter.ts";
import { sql } from "../../src/db/sql.ts";
import { AppError } from "../../src/errors.ts";
import { buildHttp } from "../../src/http/server.ts";
import { lockWanted, readAttachments } from "../../src/media/attach-uploads.ts";
import { uploadMedia } from "../../src/media/upload-media.ts";
import { PNG } from "../../src/media/media.fixture.ts";
import { acceptMessage } from "../../src/messages/accept-message.ts";
import type { Message } from "../../src/messages/message.ts";
import { claimReplies } from "../../src/messages/outbox-store.ts";
import { settleMessages } from "../../src/messages/settle-messages.ts";
import { startPart } from "../../src/messages/start-part.ts";
import { createWorkspace } from "../../src/workspaces/create-workspace.ts";
import { startTestApp, type TestApp } from "../harness.ts";

/** Files both ways over real HTTP: our server and the emulated Cloud API. */
const CUSTOMER = "96550001234";
const PDF = Buffer.from("%PDF-1.7\n%âãÏÓ\n1 0 obj\n<<>>\nendobj\n");

let t: TestApp;
let server: FastifyInstance;
let base: string;
let meta: WhatsAppEmulator;
before(async () => {
  t = await startTestApp();
  server = await buildHttp(t.app);
  base = await server.listen({ host: "127.0.0.1", port: 0 });
  meta = await createWhatsAppEmulator({ delivery: "manual", clock: t.clock });
});
after(async () => {
  await meta.close();
  await server.close();
  await t[Symbol.asyncDispose]();
});
beforeEach(async () => {
  // Nothing of the test before waits in the outbox.
  await t.app.drain();
  meta.clear();
});

interface Shop {
  readonly workspaceId: string;
  readonly phoneNumberId: string;
  readonly conversationId: string;
  upload(bytes: Buffer, fileName: string, mimeType?: string): Promise<string>;
  reply(text: string | null, attachments: readonly string[]): Promise<Message>;
  row(id: string): Promise<Record<string, unknown>>;
}

let numbers = 0;
async function openShop(): Promise<Shop> {
  const phoneNumberId = String(206540352242000 + ++numbers);
  const { id: workspaceId } = await createWorkspace(t.app, { name: "Shop", plan: "business" });
  const account = {
    phoneNumberId,
    wabaId: "1",
    accessToken: `EAAB${phoneNumberId}`,
    appSecret: "s",
  };
  const channel = await connectChannel(t.app, workspaceId, {
    type: "WHATSAPP",
    name: "Shop",
    ...account,
    verifyToken: "v",
    apiUrl: meta.url,
  });
  const url = `${base}/hooks/whatsapp/${channel.id}`;
  meta.addNumber({ ...account, webhook: { url, verifyToken: "v" } });
  meta.inbound({ phoneNumberId, from: CUSTOMER, text: "hello" });
  await meta.flush();
  const [row] = await t.app.db.query<{ id: string }>(
    sql`select id from conversation where workspace_id = ${workspaceId}`,
  );
  const conversationId = row?.id ?? assert.fail("no conversation");
  return {
    workspaceId,
    phoneNumberId,
    conversationId,
    async upload(bytes, fileName, mimeType) {
      async function* body() {
        yield bytes;
      }
      const input = { fileName, body: body(), ...(mimeType !== undefined && { mimeType }) };
      return (await uploadMedia(t.app, workspaceId, input)).id;
    },
    reply: (text, attachments) =>
      acceptMessage(t.app, workspaceId, { conversationId, text, attachments, source: "dashboard" }),
    async row(id) {
      const [found] = await t.app.db.query<Record<string, unknown>>(sql`
        select type, status, error_code, part_count, attachments from message
        where workspace_id = ${workspaceId} and id = ${id}`);
      return found ?? {};
    },
  };
}

/** What the platform took, in order: kind, text or caption, and the bytes behind the id. */
const taken = () =>
  meta.messages().map(({ type, text, media }) => {
    const caption = media?.["caption"];
    const id = String(media?.["id"]);
    return [
      type,
      text ?? (caption === undefined ? null : String(caption)),
      meta.media.find(id)?.bytes.length ?? null,
    ];
  });

test("a customer's picture is in the message at once, fetched, and served byte for byte", async () => {
  const shop = await openShop();
  const file = meta.addMedia(PNG, "image/png", shop.phoneNumberId);
  meta.inbound({
    phoneNumberId: shop.phoneNumberId,
    from: CUSTOMER,
    message: { type: "image", image: { ...file, caption: "هذه" } },
  });
  await meta.flush();
  const events = await t.app.db.query<{ body: string }>(sql`
    select body from event where workspace_id = ${shop.workspaceId} and type = 'message.received' order by sequence`);
  const told = JSON.parse(events.at(-1)?.body ?? "") as {
    data: { message: { text: string; attachments: Record<string, unknown>[] } };
  };
  const [pending] = told.data.message.attachments;
  assert.deepEqual([told.data.message.text, pending?.["status"]], ["هذه", "pending"]);
  const address = base + new URL(String(pending?.["url"])).pathname;
  assert.equal((await fetch(address)).status, 503);
  await t.app.drain();
  const answer = await fetch(address);
  assert.deepEqual([answer.status, answer.headers.get("content-type")], [200, "image/png"]);
  assert.deepEqual(Buffer.from(await answer.arrayBuffer()), PNG);
});

test("a short text goes with the first file, and the message is as far as the last of its sends", async () => {
  const shop = await openShop();
  const ids = [await shop.upload(PNG, "photo.png"), await shop.upload(PDF, "فاتورة.pdf")];
  const message = await shop.reply("تفضلي", ids);
  assert.equal(message.type, "image");
  const [first, second] = message.attachments as Record<string, unknown>[];
  assert.deepEqual(
    [first?.["type"], second?.["type"], second?.["fileName"]],
    ["image", "document", "فاتورة.pdf"],
  );
  await t.app.drain();
  assert.deepEqual(taken(), [
    ["image", "تفضلي", PNG.length],
    ["document", null, PDF.length],
  ]);
  assert.equal(meta.messages()[1]?.media?.["filename"], "فاتورة.pdf");
  await meta.flush();
  const { status, part_count: parts } = await shop.row(message.id);
  assert.deepEqual([status, parts], ["read", 2]);
});

test("a text that is too long for a caption goes first", async () => {
  const shop = await openShop();
  const long = "x".repeat(1_025);
  const message = await shop.reply(long, [await shop.upload(PNG, "photo.png")]);
  await t.app.drain();
  assert.deepEqual(taken(), [
    ["text", long, null],
    ["image", null, PNG.length],
  ]);
  assert.equal((await shop.row(message.id))["part_count"], 2);
});

test("a file alone is one send and no parts", async () => {
  const shop = await openShop();
  const message = await shop.reply(null, [await shop.upload(PDF, "a.pdf")]);
  await t.app.drain();
  assert.deepEqual(taken(), [["document", null, PDF.length]]);
  const { type, status, part_count: parts } = await shop.row(message.id);
  assert.deepEqual([type, status, parts], ["document", "sent", null]);
});

test("what cannot go is refused by name, stores nothing and takes no slot", async () => {
  const shop = await openShop();
  const other = await openShop();
  const good = await shop.upload(PNG, "a.png");
  const svg = await shop.upload(
    Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>"),
    "a.svg",
    "image/svg+xml",
  );
  const big = await shop.upload(Buffer.concat([PNG, Buffer.alloc(5 * 1024 * 1024)]), "big.png");
  const used = await shop.upload(PNG, "used.png");
  await shop.reply(null, [used]);
  const count = async () =>
    t.app.db
      .query(sql`select (select count(*) from message where workspace_id = ${shop.workspaceId}),
      (select used from usage_month where workspace_id = ${shop.workspaceId})`);
  const before = await count();
  const cases: [ids: string[], path: string, says: RegExp][] = [
    [[svg], "attachments[0]", /does not take application\/octet-stream/],
    [[good, big], "attachments[1]", /this channel takes 5242880/],
    [[used], "attachments[0]", /another message/],
    [[good, good], "attachments[1]", /another message/],
    [[await other.upload(PNG, "b.png")], "attachments[0]", /no file/],
    [["nonsense"], "attachments[0]", /no file/],
    [Array.from({ length: 11 }, () => good), "attachments", /at most 10/],
  ];
  for (const [ids, path, says] of cases) {
    const error = await shop.reply("x", ids).then(
      () => assert.fail(path),
      (reason: unknown) => reason,
    );
    assert.ok(error instanceof AppError && error.code === "VALIDATION_FAILED", String(error));
    assert.equal(error.facts.details?.[0]?.path, path);
    assert.match(error.facts.details?.[0]?.message ?? "", says);
  }
  assert.deepEqual(await count(), before);
  await assert.rejects(shop.reply(null, []), /text/);
  // What was refused beside another is still free.
  await shop.reply(null, [good]);
});

test("a file that a channel does not take as a picture goes as a document", async () => {
  const shop = await openShop();
  const rules = { document: { mimeTypes: ["image/*"], maxBytes: 10, captionLength: 0 } };
  const id = await shop.upload(PNG, "a.png");
  const want = { workspaceId: shop.workspaceId, ids: [id] };
  const found = await t.app.db.transaction((tx) => lockWanted(tx, [want]));
  const small = readAttachments(t.app, want, found, rules);
  assert.ok(!small.ok, "too large as a document too");
  const read = readAttachments(t.app, want, found, {
    document: { ...rules.document, maxBytes: 99 },
  });
  assert.ok(read.ok);
  assert.equal(read.media[0]?.kind, "document");
  assert.ok(!readAttachments(t.app, want, found, undefined).ok);
});

test("killed between two sends, the next process goes on with the file that was not begun", async () => {
  const shop = await openShop();
  const ids = [await shop.upload(PNG, "1.png"), await shop.upload(PDF, "2.pdf")];
  const { id } = await shop.reply("x".repeat(2_000), ids);
  const { app, clock } = t;
  const claim = async () => {
    const now = clock.now();
    const leaseUntil = new Date(now.getTime() + 30_000);
    const [reply] = await claimReplies(app.db, { now, leaseUntil, limit: 10, busy: [] });
    return reply ?? assert.fail("nothing to claim");
  };
  // Killed after the claim: nothing had begun.
  await claim();
  clock.advance(31_000);
  // Killed with the intent to send the text committed: nobody knows whether it left.
  await app.db.query(sql`update message_outbox set state = 'waiting', lease_until = null`);
  const part = await startPart(app, await claim(), whatsapp);
  assert.deepEqual([part?.number, part?.mediaId], [1, null]);
  clock.advance(301_000);
  await app.drain();
  assert.deepEqual(taken(), [], "an answer that was lost is not asked for again");
  // The platform's word comes: the text had left. The files follow, each once.
  meta.clear();
  const [channel] = await app.db.query<{ id: string }>(
    sql`select id from channel where workspace_id = ${shop.workspaceId}`,
  );
  await app.db.transaction((tx) =>
    settleMessages(app, tx, [
      {
        workspaceId: shop.workspaceId,
        channelId: channel?.id ?? "",
        messageId: `${id}.1`,
        providerMessageId: "wamid.lost",
        status: "sent",
        at: clock.now(),
        errorCode: null,
        errorMessage: null,
      },
    ]),
  );
  await app.drain();
  assert.deepEqual(taken(), [
    ["image", null, PNG.length],
    ["document", null, PDF.length],
  ]);
  assert.deepEqual(meta.ledger.repeated(), []);
  assert.equal((await shop.row(id))["part_count"], 3);
});

test("an upload that the platform did not take is tried again and sent once", async () => {
  const shop = await openShop();
  meta.fault({ kind: "status", status: 503, on: "upload" });
  const { id } = await shop.reply("hi", [await shop.upload(PNG, "1.png")]);
  await t.app.drain();
  assert.deepEqual(taken(), []);
  t.clock.advance(60_000);
  await t.app.drain();
  assert.deepEqual(taken(), [["image", "hi", PNG.length]]);
  assert.equal((await shop.row(id))["status"], "sent");
});

test("a file that is gone fails its message by name, and what follows is not begun", async () => {
  const shop = await openShop();
  const ids = [await shop.upload(PNG, "1.png"), await shop.upload(PNG, "2.png")];
  const { id } = await shop.reply(null, ids);
  await t.app.db.query(sql`update media set state = 'failed' where id = ${ids[0] ?? ""}`);
  await t.app.drain();
  assert.deepEqual(taken(), []);
  const { status, error_code: code } = await shop.row(id);
  assert.deepEqual([status, code], ["failed", "MEDIA_GONE"]);
});
