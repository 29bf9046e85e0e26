import assert from "node:assert/strict";
import { test } from "node:test";
import { createTikTokEmulator } from "../src/index.ts";

// No package is a client of TikTok's messaging that we did not write: the shapes are those of TikTok's documents
// 1832184455450626 (download), of upload, of webhook configuration and of account tokens.
const BUSINESS = "biz-123";
const SECRET = "tt-secret-1";
const APP = "7300000000000000000";
const DAY = 86_400_000;
const PNG = Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), Buffer.from("pixels")]);
const JPEG = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.from("jpeg")]);

type Body = Readonly<Record<string, unknown>>;

async function start() {
  const emulator = await createTikTokEmulator({
    delivery: "manual",
    clock: { now: () => new Date("2026-11-21T10:00:00.000Z") },
    businesses: [
      {
        businessId: BUSINESS,
        accessToken: "act.one",
        refreshToken: "rft.one",
        appSecret: SECRET,
        webhookUrl: "http://127.0.0.1:9/hook",
      },
      { businessId: "biz-2", accessToken: "act.two", appSecret: SECRET },
    ],
  });
  async function call(path: string, init: RequestInit = {}, token = "act.one") {
    const headers = new Headers(init.headers);
    headers.set("access-token", token);
    const answer = await fetch(`${emulator.apiUrl}${path}`, { ...init, headers });
    assert.equal(answer.status, 200);
    const { code, data } = (await answer.json()) as { code: number; data: Body };
    return { code, data };
  }
  const post = (path: string, body: object, token?: string) =>
    call(path, { method: "POST", body: JSON.stringify(body) }, token);
  function upload(file: Buffer, more: Record<string, string> = {}, token?: string) {
    const form = new FormData();
    for (const [name, value] of Object.entries({
      business_id: BUSINESS,
      media_type: "IMAGE",
      ...more,
    }))
      form.append(name, value);
    form.append("file", new Blob([new Uint8Array(file)], { type: "image/png" }), "a.png");
    return call("/business/message/media/upload/", { method: "POST", body: form }, token);
  }
  const send = (recipient: string, mediaId: unknown, token?: string) =>
    post(
      "/business/message/send/",
      {
        business_id: token === undefined ? BUSINESS : "biz-2",
        recipient_type: "CONVERSATION",
        recipient,
        message_type: "IMAGE",
        image: { media_id: mediaId },
      },
      token,
    );
  const conversation = (businessId = BUSINESS) => {
    emulator.inbound({ businessId, from: "user-A", text: "hi" });
    return emulator.conversations.of(businessId)[0]?.id ?? "";
  };
  return {
    emulator,
    call,
    post,
    upload,
    send,
    conversation,
    [Symbol.asyncDispose]: () => emulator.close(),
  };
}

test("a picture is uploaded, sent by its id, counted as one of the ten, and echoed", async () => {
  await using t = await start();
  const to = t.conversation();
  const { code, data } = await t.upload(PNG);
  assert.equal(code, 0);
  for (let n = 1; n <= 10; n++) assert.equal((await t.send(to, data["media_id"])).code, 0);
  assert.equal((await t.send(to, data["media_id"])).code, 40002);
  const [message] = t.emulator.messages();
  assert.deepEqual(message?.file?.bytes, PNG);
  assert.deepEqual(message?.content, { type: "image", image: { media_id: data["media_id"] } });
});

test("uploads are refused with HTTP 200 and a code: other types, over 3 MB, no form, another account's", async () => {
  await using t = await start();
  const MB = 1024 * 1024;
  const rows: readonly (readonly [string, Promise<{ code: number }>, number])[] = [
    ["a GIF", t.upload(Buffer.from("GIF89a")), 40002],
    ["nothing", t.upload(Buffer.alloc(0)), 40002],
    [
      "3 MB and a byte",
      t.upload(Buffer.concat([PNG, Buffer.alloc(3 * MB - PNG.length + 1)])),
      40002,
    ],
    ["a video", t.upload(PNG, { media_type: "VIDEO" }), 40002],
    ["JSON", t.post("/business/message/media/upload/", { business_id: BUSINESS }), 40002],
    ["another account", t.upload(PNG, { business_id: "biz-2" }), 40001],
    ["a wrong token", t.upload(PNG, {}, "act.none"), 40105],
    ["3 MB", t.upload(Buffer.concat([JPEG, Buffer.alloc(3 * MB - JPEG.length)])), 0],
  ];
  for (const [name, answer, code] of rows) assert.equal((await answer).code, code, name);
});

test("an upload is valid for its account and for 30 days", async () => {
  await using t = await start();
  const { data } = await t.upload(PNG);
  assert.equal((await t.send(t.conversation(), "unknown")).code, 40002);
  assert.equal((await t.send(t.conversation("biz-2"), data["media_id"], "act.two")).code, 40002);
  t.emulator.clock.advance(30 * DAY);
  assert.equal((await t.send(t.conversation(), data["media_id"])).code, 40002);
});

test("a customer's file has an address for a day, needs all its ids, and the token in x-user", async () => {
  await using t = await start();
  const file = { kind: "image" as const, bytes: JPEG, mimeType: "image/jpeg" };
  const message_id = t.emulator.inbound({ businessId: BUSINESS, from: "user-A", file });
  const conversation_id = t.conversation();
  await t.emulator.flush();
  const event = t.emulator.webhooks().find(({ body }) => body.includes(message_id));
  const { content } = JSON.parse(event?.body ?? "{}") as { content: string };
  const { image } = JSON.parse(content) as { image: { media_id: string } };
  const { media_id } = image;
  const asked = {
    business_id: BUSINESS,
    conversation_id,
    message_id,
    media_id,
    media_type: "IMAGE",
  };
  const path = "/business/message/media/download/";
  const { code, data } = await t.post(path, asked);
  assert.equal(code, 0);
  const url = String(data["download_url"]);
  for (const [headers, status] of [
    [{ "x-user": "act.one" }, 200],
    [{ "x-user": "act.two" }, 403],
    [{}, 403],
  ] as const)
    assert.equal((await fetch(url, { headers })).status, status);
  const answer = await fetch(url, { headers: { "x-user": "act.one" } });
  assert.equal(answer.headers.get("content-type"), "image/jpeg");
  assert.deepEqual(Buffer.from(await answer.arrayBuffer()), JPEG);
  for (const [more, refused] of [
    [{ message_id: "1" }, 40007],
    [{ conversation_id: "x" }, 40007],
    [{ media_type: "VIDEO" }, 40002],
    [{ media_type: "STICKER" }, 40002],
    [{ media_id: undefined }, 40002],
  ] as const)
    assert.equal((await t.post(path, { ...asked, ...more })).code, refused, JSON.stringify(more));
  t.emulator.clock.advance(DAY);
  assert.equal((await fetch(url, { headers: { "x-user": "act.one" } })).status, 404);
});

test("a refresh gives new tokens once; the old refresh token ends, the access token by the clock", async () => {
  await using t = await start();
  const path = "/tt_user/oauth2/refresh_token/";
  const body = { client_id: APP, client_secret: SECRET, grant_type: "refresh_token" };
  const check = (token: string) =>
    t.call(
      `/business/message/conversation/list/?business_id=${BUSINESS}&conversation_type=SINGLE`,
      {},
      token,
    );
  const first = await t.post(path, { ...body, refresh_token: "rft.one" });
  assert.deepEqual(
    [first.code, first.data["expires_in"], first.data["open_id"]],
    [0, 86_400, BUSINESS],
  );
  assert.equal((await t.post(path, { ...body, refresh_token: "rft.one" })).code, 40107);
  const access = String(first.data["access_token"]);
  t.emulator.clock.advance(DAY - 1);
  assert.equal((await check(access)).code, 0);
  t.emulator.clock.advance(1);
  assert.equal((await check(access)).code, 40102);
  const refresh_token = first.data["refresh_token"];
  for (const [more, code] of [
    [{ client_secret: "other" }, 40001],
    [{ grant_type: "authorization_code" }, 40002],
    [{ refresh_token: "rft.none" }, 40107],
  ] as const)
    assert.equal((await t.post(path, { ...body, refresh_token, ...more })).code, code);
  t.emulator.clock.advance(365 * DAY);
  assert.equal((await t.post(path, { ...body, refresh_token })).code, 40103);
});

test("the app's address is listed, deleted, and then left out of the list", async () => {
  await using t = await start();
  const app = { app_id: APP, secret: SECRET, event_type: "DIRECT_MESSAGE" };
  const list = () => t.call(`/business/webhook/list/?${new URLSearchParams(app).toString()}`);
  assert.equal((await list()).data["callback_url"], "http://127.0.0.1:9/hook");
  const wrong = { ...app, secret: "other" };
  assert.equal((await t.post("/business/webhook/delete/", wrong)).code, 40001);
  assert.equal((await t.post("/business/webhook/delete/", app)).code, 0);
  assert.equal("callback_url" in (await list()).data, false);
});

test("faults of files: upload, look-up and bytes fail independently", async () => {
  await using t = await start();
  t.emulator.fault({ kind: "code", code: 50002, on: "upload" });
  assert.equal((await t.upload(PNG)).code, 50002);
  assert.equal((await t.upload(PNG)).code, 0);
});
