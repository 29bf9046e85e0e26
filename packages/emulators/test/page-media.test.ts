import assert from "node:assert/strict";
import { createReadStream } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { MessengerClient } from "messaging-api-messenger";
import {
  createInstagramEmulator,
  createMessengerEmulator,
  type PageMessagingOptions,
} from "../src/index.ts";
import { FILES, startFileServer } from "./files.ts";
import { jsonOf, startReceiver } from "./start-whatsapp.ts";

// Files, profiles and tokens of Messenger and Instagram, called as far as possible by a client that we did not
// write.
const PAGE = { id: "1029384756", accessToken: "token-1", appSecret: "app-secret-1" };
const SARA = "25400000001234";
const DAY = 86_400_000;

async function start(
  kind: "messenger" | "instagram" = "messenger",
  options: PageMessagingOptions = {},
) {
  const receiver = await startReceiver();
  let at = 1_770_000_000_000;
  const create = kind === "messenger" ? createMessengerEmulator : createInstagramEmulator;
  const emulator = await create({
    delivery: "manual",
    clock: { now: () => new Date(at) },
    pages: [{ ...PAGE, webhook: { url: receiver.url } }],
    ...options,
  });
  const { accessToken } = PAGE;
  const client = new MessengerClient({ accessToken, origin: emulator.url, version: "25.0" });
  emulator.inbound({ pageId: PAGE.id, from: SARA, text: "hi" });
  const attachments = () =>
    receiver.received
      .flatMap(({ body }) => JSON.parse(body).entry[0].messaging)
      .flatMap((item) => item.message?.attachments ?? []);
  const call = (
    path: string,
    init: { method?: string; headers?: Record<string, string>; body?: string } = {},
  ) =>
    fetch(`${emulator.apiUrl}${path}`, {
      ...init,
      headers: { authorization: `Bearer ${accessToken}`, ...init.headers },
    });
  const sendUrl = async (type: string, url: string) => {
    const message = { attachment: { type, payload: { url } } };
    const answer = await call("/me/messages", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ recipient: { id: SARA }, message }),
    });
    const { error } = await jsonOf(answer);
    return error === undefined ? "sent" : `${answer.status} ${error.code}/${error.error_subcode}`;
  };
  return {
    emulator,
    client,
    call,
    sendUrl,
    attachments,
    tick: (ms: number) => (at += ms),
    async [Symbol.asyncDispose]() {
      await emulator.close();
      await receiver[Symbol.asyncDispose]();
    },
  };
}
const refusal = (work: Promise<unknown>) =>
  work.then(
    () => "accepted",
    (error: unknown) => String(error),
  );

test("messaging-api-messenger sends a file with the message and by the id of an upload; the echo shows it", async () => {
  await using t = await start();
  const folder = await mkdtemp(join(tmpdir(), "parley-page-media-"));
  await writeFile(join(folder, "a.png"), FILES.png);
  await t.client.sendImage(SARA, createReadStream(join(folder, "a.png")));
  await rm(folder, { recursive: true });
  const { attachmentId } = await t.client.uploadFile(FILES.pdf, {
    filename: "a.pdf",
    isReusable: true,
  });
  await t.client.sendFile(SARA, { attachmentId });
  await t.client.sendFile(SARA, { attachmentId });
  const sent = t.emulator
    .messages()
    .map(({ file }) => [file?.type, file?.mimeType, file?.fileName]);
  const pdf = ["file", "application/pdf", "a.pdf"];
  assert.deepEqual(sent, [["image", "image/png", "a.png"], pdf, pdf]);
  assert.deepEqual(t.emulator.messages()[0]?.file?.bytes, FILES.png);
  await t.emulator.flush();
  assert.equal(t.attachments().length, 3);
  const image = t.attachments().find(({ type }) => type === "image");
  const file = await fetch(image.payload.url);
  assert.deepEqual(Buffer.from(await file.arrayBuffer()), FILES.png);
});

test("an unknown upload, an upload of another kind, two sources at once and an invalid file are refused with 100", async () => {
  await using t = await start();
  const { attachmentId } = await t.client.uploadImage(FILES.png, { filename: "a.png" });
  assert.match(
    await refusal(t.client.sendImage(SARA, { attachmentId: "17" })),
    /#100\).*attachment/,
  );
  assert.match(await refusal(t.client.sendVideo(SARA, { attachmentId })), /#100\)/);
  const both = { attachmentId, url: "https://example.com/a.png" };
  assert.match(
    await refusal(t.client.sendImage(SARA, both)),
    /#100\) An attachment has exactly one/,
  );
  const text = refusal(t.client.uploadImage(Buffer.from("hi"), { filename: "a.txt" }));
  assert.match(await text, /#100\) Upload attachment failure/);
  const large = Buffer.concat([FILES.png, Buffer.alloc(8 * 1024 * 1024)]);
  assert.match(
    await refusal(t.client.uploadImage(large, { filename: "a.png" })),
    /#100\) Attachment size/,
  );
});

for (const kind of ["messenger", "instagram"] as const) {
  test(`${kind} fetches an address at the send, and refuses with the reason`, async () => {
    await using t = await start(kind);
    const large = Buffer.concat([FILES.png, Buffer.alloc(8 * 1024 * 1024)]);
    await using web = await startFileServer({
      "/a.png": { type: "image/png", bytes: FILES.png },
      "/page": { type: "text/html", bytes: Buffer.from("<p>") },
      "/large.png": { type: "image/png", bytes: large },
      "/a.pdf": { type: "application/pdf", bytes: FILES.pdf },
      "/a.zip": { type: "application/zip", bytes: Buffer.from("PK") },
    });
    assert.equal(await t.sendUrl("image", `${web.url}/a.png`), "sent");
    assert.equal(await t.sendUrl("image", `${web.url}/none.png`), "400 100/2018008");
    assert.equal(await t.sendUrl("image", "http://127.0.0.1:9/a.png"), "400 100/2018008");
    assert.equal(await t.sendUrl("image", "no address"), "400 100/2018008");
    assert.equal(await t.sendUrl("image", `${web.url}/page`), "400 100/2018047");
    assert.equal(await t.sendUrl("image", `${web.url}/large.png`), "400 100/2018109");
    assert.equal(await t.sendUrl("file", `${web.url}/a.pdf`), "sent");
    const zip = await t.sendUrl("file", `${web.url}/a.zip`);
    assert.equal(zip, kind === "messenger" ? "sent" : "400 100/2018047");
    assert.equal(t.emulator.messages()[0]?.file?.mimeType, "image/png");
  });
}

test("a customer's file has an address for a day; an expired or changed one is 403", async () => {
  await using t = await start();
  const files = [
    { type: "image", mimeType: "image/jpeg", data: FILES.jpeg.toString("base64") },
    {
      type: "file",
      mimeType: "application/pdf",
      fileName: "a b.pdf",
      data: FILES.pdf.toString("base64"),
    },
    { type: "sticker", mimeType: "image/png", data: FILES.png.toString("base64") },
  ];
  const inbound = await fetch(`${t.emulator.url}/_sim/messenger/inbound`, {
    method: "POST",
    body: JSON.stringify({ pageId: PAGE.id, from: SARA, files }),
  });
  assert.equal(inbound.status, 200);
  await t.emulator.flush();
  const [image, file, sticker] = t.attachments();
  assert.deepEqual([image.type, file.type, sticker.type], ["image", "file", "image"]);
  assert.equal(typeof sticker.payload.sticker_id, "number");
  assert.match(file.payload.url, /a%20b\.pdf\?/);
  assert.deepEqual(Buffer.from(await (await fetch(file.payload.url)).arrayBuffer()), FILES.pdf);
  assert.equal((await fetch(image.payload.url.replace("oh=", "oh=0"))).status, 403);
  t.tick(DAY);
  assert.equal((await fetch(image.payload.url)).status, 403);
});

test("a customer's profile has the requested fields; Instagram has others; strangers and hidden ones have none", async () => {
  await using t = await start();
  t.emulator.setCustomer(SARA, { firstName: "سارة", lastName: "A", profilePic: "https://p/1.jpg" });
  assert.deepEqual(await t.client.getUserProfile(SARA, { fields: ["first_name", "profile_pic"] }), {
    firstName: "سارة",
    profilePic: "https://p/1.jpg",
    id: SARA,
  });
  assert.match(await refusal(t.client.getUserProfile("25400000009999")), /#100\)|Unsupported get/);
  t.emulator.inbound({ pageId: PAGE.id, from: "99900000000218", text: "hi" });
  assert.match(await refusal(t.client.getUserProfile("99900000000218")), /#100\)/);
  await using ig = await start("instagram");
  ig.emulator.setCustomer(SARA, { name: null, username: "sara.k" });
  const asked = await ig.call(`/${SARA}?fields=name,username,profile_pic`);
  assert.deepEqual(await jsonOf(asked), { username: "sara.k", id: SARA });
});

test("a token of Instagram login ends after 60 days and is renewed from its second day on", async () => {
  const tokenIssuedAt = 1_770_000_000_000;
  await using t = await start("instagram", { pages: [{ ...PAGE, tokenIssuedAt }] });
  const renew = (token: string) =>
    fetch(
      `${t.emulator.url}/refresh_access_token?grant_type=ig_refresh_token&access_token=${token}`,
    );
  const works = async (token: string) =>
    (await t.call("/me", { headers: { authorization: `Bearer ${token}` } })).status;
  assert.equal((await renew(PAGE.accessToken)).status, 400);
  t.tick(DAY);
  const renewed = await jsonOf(await renew(PAGE.accessToken));
  assert.deepEqual([renewed.token_type, renewed.expires_in], ["bearer", 60 * 86_400]);
  assert.equal(await works(renewed.access_token), 200);
  t.tick(59 * DAY - 1);
  assert.equal(await works(PAGE.accessToken), 200);
  t.tick(1);
  assert.equal(await works(PAGE.accessToken), 401);
  t.tick(DAY - 1);
  assert.equal(await works(renewed.access_token), 200);
  t.tick(1);
  assert.equal(await works(renewed.access_token), 401);
  const late = await jsonOf(await renew(renewed.access_token));
  assert.deepEqual([late.error.code, late.error.error_subcode], [190, 463]);
});
