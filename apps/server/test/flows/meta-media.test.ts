import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { deleteContact } from "../../src/contacts/record/delete-contact.fixture.ts";
import { sql } from "../../src/db/sql.ts";
import { FILES } from "../files.ts";
import { MetaStand, type MetaShop } from "../meta-shop.ts";

/** Files both ways over real HTTP: our server beside the emulated Messenger and the emulated Instagram. */
let messenger: MetaStand;
let instagram: MetaStand;
before(async () => {
  messenger = await MetaStand.start("MESSENGER");
  instagram = await MetaStand.start("INSTAGRAM");
});
after(async () => {
  await messenger[Symbol.asyncDispose]();
  await instagram[Symbol.asyncDispose]();
});
beforeEach(() => {
  messenger.meta.clear();
  instagram.meta.clear();
});

const SARA = "99900000001234";
const PNG = { bytes: FILES.png, mimeType: "image/png", fileName: "photo.png" };
const PDF = { bytes: FILES.pdf, mimeType: "application/pdf", fileName: "bill.pdf" };

interface Shown {
  readonly type: string;
  readonly status: string;
  readonly url: string;
  readonly mimeType: string;
  readonly fileName: string | null;
  readonly reason?: string;
}
async function lastFiles(shop: MetaShop): Promise<Shown[]> {
  const rows = await shop.stand.t.app.db.query<{ attachments: Shown[] }>(
    sql`select attachments from message where workspace_id = ${shop.workspaceId} and direction = 'inbound'
      order by id desc limit 1`,
  );
  return rows[0]?.attachments ?? [];
}
async function bytesAt(url: string): Promise<Buffer> {
  const answer = await fetch(url);
  assert.equal(answer.status, 200);
  return Buffer.from(await answer.arrayBuffer());
}

for (const kind of ["messenger", "instagram"] as const) {
  test(`${kind}: what a customer sends is kept by us and outlives the platform's address`, async () => {
    const stand = kind === "messenger" ? messenger : instagram;
    const shop = await stand.openShop();
    stand.meta.inbound({
      pageId: shop.pageId,
      from: SARA,
      files: [
        { type: "image", bytes: FILES.jpeg, mimeType: "image/jpeg" },
        { type: "audio", bytes: FILES.ogg, mimeType: "audio/ogg" },
        { type: "video", bytes: FILES.mp4, mimeType: "video/mp4" },
        { type: "file", bytes: FILES.pdf, mimeType: "application/pdf", fileName: "a b.pdf" },
        { type: "sticker", bytes: FILES.png, mimeType: "image/png" },
      ],
    });
    await stand.meta.flush();
    assert.deepEqual(
      (await lastFiles(shop)).map(({ type, status }) => [type, status]),
      ["image", "audio", "video", "document", "sticker"].map((type) => [type, "pending"]),
    );
    await stand.t.app.drain();
    stand.t.clock.advance(2 * 86_400_000);
    const files = await lastFiles(shop);
    assert.deepEqual(
      files.map(({ status, mimeType, fileName }) => [status, mimeType, fileName]),
      [
        ["stored", "image/jpeg", null],
        ["stored", "audio/ogg", null],
        ["stored", "video/mp4", null],
        ["stored", "application/pdf", "a b.pdf"],
        ["stored", "image/png", null],
      ],
    );
    const [image, , , document] = files;
    assert.deepEqual(await bytesAt(image?.url ?? ""), FILES.jpeg);
    assert.deepEqual(await bytesAt(document?.url ?? ""), FILES.pdf);
  });
}

test("a story mention and the answer to a story bring the story along; a shared page brings nothing", async () => {
  const shop = await instagram.openShop();
  const { meta } = instagram;
  const story = meta.files.add({
    type: "video",
    bytes: FILES.mp4,
    mimeType: "video/mp4",
    fileName: "file",
    reusable: false,
  });
  const url = `${meta.url}${meta.files.addressOf(story)}`;
  const sends = async (message: object) => {
    meta.inbound({ pageId: shop.pageId, from: SARA, message: { ...message } });
    await meta.flush();
    await instagram.t.app.drain();
    return lastFiles(shop);
  };
  const [mention] = await sends({ attachments: [{ type: "story_mention", payload: { url } }] });
  assert.deepEqual(
    [mention?.type, mention?.status, mention?.mimeType],
    ["story_mention", "stored", "video/mp4"],
  );
  const [answer] = await sends({ text: "nice", reply_to: { story: { id: "17", url } } });
  assert.deepEqual([answer?.type, answer?.status], ["story_reply", "stored"]);
  const page = "https://www.instagram.com/p/C1/";
  const [share] = await sends({ attachments: [{ type: "share", payload: { url: page } }] });
  assert.deepEqual(share, { type: "share", url: page });
});

test("a file that somebody sent from the platform's own inbox is kept like a customer's", async () => {
  const shop = await messenger.openShop();
  await shop.hears(SARA);
  const { meta } = messenger;
  const picture = { type: "image", bytes: FILES.png, mimeType: "image/png" } as const;
  const kept = meta.files.add({ ...picture, fileName: "file", reusable: false });
  const payload = { url: `${meta.url}${meta.files.addressOf(kept)}` };
  meta.push(shop.pageId, {
    sender: { id: shop.pageId },
    recipient: { id: SARA },
    timestamp: messenger.t.clock.now().getTime(),
    message: { mid: "m_inbox", is_echo: true, attachments: [{ type: "image", payload }] },
  });
  await meta.flush();
  await messenger.t.app.drain();
  const [echo] = await shop.all("outbound");
  assert.equal(echo?.source, "channel");
  assert.match(JSON.stringify(echo?.attachments), /"status":"stored"/);
});

test("an address that has ended, and one inside our network, end as failed with the reason", async () => {
  const shop = await messenger.openShop();
  messenger.meta.inbound({
    pageId: shop.pageId,
    from: SARA,
    files: [{ type: "image", bytes: FILES.jpeg, mimeType: "image/jpeg" }],
  });
  await messenger.meta.flush();
  messenger.meta.fault({ kind: "status", status: 403, on: "download" });
  await messenger.t.app.drain();
  const [gone] = await lastFiles(shop);
  assert.deepEqual([gone?.status, gone?.reason], ["failed", "gone"]);
  const payload = { url: "http://169.254.169.254/latest/meta-data/" };
  const message = { attachments: [{ type: "image", payload }] };
  messenger.meta.inbound({ pageId: shop.pageId, from: SARA, message });
  await messenger.meta.flush();
  await messenger.t.app.drain();
  const [inside] = await lastFiles(shop);
  assert.deepEqual([inside?.status, inside?.reason], ["failed", "blocked_address"]);
});

test("Messenger: a file is uploaded and sent by its id, its words go in a send of their own, both are read", async () => {
  const shop = await messenger.openShop();
  const conversationId = await shop.hears(SARA);
  const { id } = await shop.repliesWith(conversationId, PDF, "here is the bill");
  await messenger.t.app.drain();
  const sent = messenger.meta.messages();
  assert.deepEqual(
    sent.map(({ text, file }) => [text, file?.type, file?.fileName, file?.mimeType]),
    [
      ["here is the bill", undefined, undefined, undefined],
      [null, "file", "bill.pdf", "application/pdf"],
    ],
  );
  assert.deepEqual(sent[1]?.file?.bytes, FILES.pdf);
  messenger.t.clock.advance(60_000);
  await messenger.meta.flush();
  assert.equal((await shop.stored(id)).status, "read");
  assert.equal((await shop.all("outbound")).length, 1, "the echoes are no further messages");
});

test("Messenger: a lost answer to the send of a file is settled by its echo and never sent again", async () => {
  const shop = await messenger.openShop();
  const conversationId = await shop.hears("99900000000911");
  const { id } = await shop.repliesWith(conversationId, PNG);
  await messenger.t.app.drain();
  assert.deepEqual(await shop.outbox(), ["unknown"]);
  await messenger.meta.flush();
  assert.equal((await shop.stored(id)).status, "read");
  messenger.t.clock.advance(3_600_000);
  await messenger.t.app.drain();
  assert.equal(messenger.meta.messages().length, 1);
});

test("Messenger: an upload that broke off is made again, and the customer gets the file once", async () => {
  const shop = await messenger.openShop();
  const conversationId = await shop.hears(SARA);
  messenger.meta.fault({ kind: "drop", on: "upload" });
  messenger.meta.fault({ kind: "html", on: "upload" });
  const { id } = await shop.repliesWith(conversationId, PNG);
  for (let turn = 0; turn < 5; turn++) {
    await messenger.t.app.drain();
    messenger.t.clock.advance(120_000);
  }
  await messenger.meta.flush();
  assert.equal((await shop.stored(id)).status, "read");
  assert.equal(messenger.meta.messages().length, 1);
});

test("Instagram fetches the file from our address; the echo of a lost send settles it", async () => {
  const shop = await instagram.openShop();
  const conversationId = await shop.hears("99900000000911");
  const { id } = await shop.repliesWith(conversationId, PNG);
  await instagram.t.app.drain();
  const [sent] = instagram.meta.messages();
  assert.deepEqual(sent?.file?.bytes, FILES.png);
  assert.deepEqual(await shop.outbox(), ["unknown"]);
  await instagram.meta.flush();
  assert.equal((await shop.stored(id)).status, "read");
  assert.equal((await shop.all("outbound")).length, 1);
});

for (const state of ["unknown", "calling"] as const)
  test(`Instagram: the echo of a send that is ${state} settles it also when the contact was deleted meanwhile`, async () => {
    const shop = await instagram.openShop();
    const conversationId = await shop.hears("99900000000911");
    const { id } = await shop.repliesWith(conversationId, PNG);
    await instagram.t.app.drain();
    assert.deepEqual(await shop.outbox(), ["unknown"]);
    await instagram.t.app.db.query(sql`update message_outbox set state = ${state},
    lease_until = ${new Date(instagram.t.clock.now().getTime() + 60_000)} where workspace_id = ${shop.workspaceId}`);
    const [contact] = await instagram.t.app.db.query<{ id: string }>(
      sql`select id from contact where workspace_id = ${shop.workspaceId}`,
    );
    await deleteContact(instagram.t.app, shop.workspaceId, contact?.id ?? "");
    await instagram.meta.flush();
    assert.deepEqual(
      (await shop.all("outbound")).map((message) => message.id),
      [id],
    );
    assert.ok((await shop.stored(id)).provider_message_id);
  });

test("Instagram: when our address cannot be reached from outside, the reply fails with the platform's words", async () => {
  const shop = await instagram.openShop();
  const conversationId = await shop.hears(SARA);
  const { publicUrl } = instagram.t.app.config;
  Object.assign(instagram.t.app.config, { publicUrl: "http://127.0.0.1:9" });
  const { id } = await shop.repliesWith(conversationId, PNG);
  await instagram.t.app.drain();
  Object.assign(instagram.t.app.config, { publicUrl });
  const stored = await shop.stored(id);
  assert.deepEqual([stored.status, stored.error_code], ["failed", "100"]);
  assert.match(stored.error_message ?? "", /fetch the file/);
  assert.equal(instagram.meta.messages().length, 0);
});
