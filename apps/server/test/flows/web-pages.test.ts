import { OPERATOR } from "../../src/actor.ts";
import { AGENT } from "../actors.ts";
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { after, before, test } from "node:test";
import { sql } from "../../src/db/sql.ts";
import { uploadMedia } from "../../src/media/upload-media.ts";
import { acceptMessage } from "../../src/messages/accept/accept-message.ts";
import { startTestApp, type TestApp } from "../harness.ts";
import { serve, WebShop, type Served } from "../web-shop.ts";

/** Files of visitors, the script and the page to try it on. */
const dataDir = mkdtempSync(path.join(os.tmpdir(), "parley-chat-"));
let t: TestApp;
let one: Served;
before(async () => {
  t = await startTestApp({ config: { dataDir } });
  one = await serve(t.app);
});
after(async () => {
  await one.server.close();
  await t[Symbol.asyncDispose]();
  rmSync(dataDir, { recursive: true, force: true });
});

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

test("a visitor's picture goes up, goes with one message, and stays", async () => {
  const shop = await WebShop.open(t.app, one.base);
  const visitor = await shop.visitor();
  const up = await visitor.post<{ id: string; url: string; size: number; mimeType: string }>(
    "files?name=photo.png",
    PNG,
    { "content-type": "image/png" },
  );
  assert.deepEqual([up.status, up.body.mimeType, up.body.size], [201, "image/png", PNG.length]);
  const message = { clientId: "c1", attachments: [up.body.id] };
  const sent = await visitor.post<{ attachments: Record<string, unknown>[] }>("messages", message);
  assert.equal(sent.status, 201);
  assert.deepEqual(sent.body.attachments, [
    {
      type: "image",
      url: up.body.url,
      mimeType: "image/png",
      fileName: "photo.png",
      size: PNG.length,
    },
  ]);
  assert.equal((await visitor.post("messages", message)).status, 200, "a resend is the same");
  const second = await visitor.post("messages", { ...message, clientId: "c2" });
  assert.equal(second.status, 400, "one upload, one message");
  const kept = await t.app.db.query(sql`select message_id is not null as taken, delete_at from media
    where workspace_id = ${shop.workspaceId}`);
  assert.deepEqual(kept, [{ taken: true, delete_at: null }]);
  const [received] = await shop.events("message.received");
  assert.ok(JSON.stringify(received).includes("photo.png"));
  const stored = await shop.events("media.stored");
  assert.deepEqual(
    stored.map(({ messageId, kind, mimeType, fileName, size }) => [
      messageId,
      kind,
      mimeType,
      fileName,
      size,
    ]),
    [[received?.["messageId"], "image", "image/png", "photo.png", PNG.length]],
    "a program that stores what customers send hears of it as of every other file",
  );
  const fetched = await fetch(
    `${one.base}/api/v1/media/${String(stored[0]?.["mediaId"])}/content`,
    {
      headers: { authorization: `Bearer ${shop.bearer}` },
    },
  );
  assert.deepEqual(Buffer.from(await fetched.arrayBuffer()), PNG);
  const served = await fetch(up.body.url.replace(/^http:\/\/[^/]+/, one.base));
  assert.deepEqual(Buffer.from(await served.arrayBuffer()), PNG);
});

test("an agent's files are in the window with their text, and are read as one message", async () => {
  const shop = await WebShop.open(t.app, one.base);
  const visitor = await shop.visitor("send me the pictures");
  const ids: string[] = [];
  for (const fileName of ["one.png", "two.png"]) {
    const body = Readable.from([PNG]);
    ids.push((await uploadMedia(OPERATOR, t.app, shop.workspaceId, { fileName, body })).id);
  }
  const { id } = await acceptMessage(AGENT, t.app, shop.workspaceId, {
    conversationId: await shop.conversation(),
    text: "here",
    attachments: ids,
  });
  const seen = (await visitor.session()).messages.find((message) => message.id === id);
  assert.deepEqual(
    [seen?.text, seen?.attachments.map((file) => [file["type"], file["fileName"]])],
    [
      "here",
      [
        ["image", "one.png"],
        ["image", "two.png"],
      ],
    ],
  );
  await t.app.drain();
  await visitor.post("receipts", { read: id });
  const [row] = await t.app.db.query<{ status: string }>(
    sql`select status from message where id = ${id}`,
  );
  assert.equal(row?.status, "read");
});

test("nobody sends another's upload; what may run, is too large or is empty does not come up", async () => {
  const shop = await WebShop.open(t.app, one.base, { maxFileBytes: "2000" });
  const visitor = await shop.visitor();
  const image = { "content-type": "image/png" };
  const up = await visitor.post<{ id: string }>("files?name=a.png", PNG, image);
  const thief = await shop.visitor();
  for (const id of [up.body.id, up.body.id.split(".")[0]]) {
    const stolen = await thief.post("messages", { clientId: "c1", attachments: [id] });
    assert.equal(stolen.status, 400);
  }
  const nameless = await visitor.post<{ details?: { path: string }[] }>("files", PNG, image);
  assert.deepEqual([nameless.status, nameless.body.details?.[0]?.path], [400, "name"]);
  const refused = async (name: string, body: Buffer, type: string) =>
    (await visitor.post(`files?name=${name}`, body, { "content-type": type })).status;
  assert.equal(await refused("a.html", Buffer.from("<script>1</script>"), "text/html"), 415);
  assert.equal(await refused("a.svg", Buffer.from("<svg/>"), "image/svg+xml"), 415);
  assert.equal(await refused("a.png", Buffer.from("<script>1</script>"), "image/png"), 415);
  assert.equal(await refused("a.png", Buffer.alloc(2_001, 1), "image/png"), 413);
  assert.equal(await refused("a.png", Buffer.alloc(0), "image/png"), 400);
});

test("the try page runs the widget under a policy that allows nothing else, in both languages", async () => {
  const shop = await WebShop.open(t.app, one.base, { name: `<b>"Shop"</b>` });
  const english = await fetch(`${one.base}/chat/try/${shop.channelId}`);
  const policy = english.headers.get("content-security-policy") ?? "";
  assert.match(policy, /default-src 'none'; script-src 'self'; connect-src 'self'/);
  assert.ok(!policy.includes("unsafe"), policy);
  const text = await english.text();
  assert.match(text, /<html lang="en" dir="ltr">/);
  assert.match(text, /<h1>Try the chat<\/h1>/);
  assert.ok(!text.includes("&#60;b&#62;"), "the channel's own name is for the team");
  assert.match(text, /href="\?lang=ar" lang="ar"/, "the other language is a press away");
  assert.ok(!text.includes("<b>") && text.includes(`data-channel="${shop.channelId}"`), text);
  const languageOf = async (query: string, browser: string) => {
    const headers = { "accept-language": browser };
    const page = await fetch(`${one.base}/chat/try/${shop.channelId}${query}`, { headers });
    return /<html lang="(\w+)" dir="(\w+)">/
      .exec(await page.text())
      ?.slice(1)
      .join(" ");
  };
  assert.equal(await languageOf("?lang=ar", "en-GB"), "ar rtl");
  assert.equal(await languageOf("", "ar-KW,ar;q=0.9,en;q=0.8"), "ar rtl");
  assert.equal(await languageOf("?lang=en", "ar-KW"), "en ltr");
  assert.equal((await fetch(`${one.base}/chat/try/nothing`)).status, 404);
});

test("the script may be used by any page, and is not sent again while it is the same", async () => {
  const first = await fetch(`${one.base}/chat/widget.js`);
  if (first.status === 404) {
    assert.match(await first.text(), /not built/);
    return;
  }
  assert.equal(first.headers.get("cross-origin-resource-policy"), "cross-origin");
  assert.match(first.headers.get("content-type") ?? "", /javascript/);
  const etag = first.headers.get("etag") ?? "";
  const again = await fetch(`${one.base}/chat/widget.js`, { headers: { "if-none-match": etag } });
  assert.equal(again.status, 304);
  const other = await fetch(`${one.base}/chat/widget.js`, { headers: { "if-none-match": '"x"' } });
  assert.equal(other.status, 200);
});
