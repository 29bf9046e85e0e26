import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { test } from "node:test";
import { MessengerClient } from "messaging-api-messenger";
import {
  createInstagramEmulator,
  createMessengerEmulator,
  type PageMessagingOptions,
} from "../src/index.ts";
import { FILES, startFileServer } from "./files.ts";
import { startReceiver } from "./start-whatsapp.ts";

// A client that we did not write calls our endpoints; its callbacks are checked by their own rules.
const PAGE = { id: "1029384756", accessToken: "token-1", appSecret: "app-secret-1" };
const SARA = "25400000001234";

async function start(
  options: PageMessagingOptions = {},
  kind: "messenger" | "instagram" = "messenger",
) {
  const receiver = await startReceiver();
  let at = 1_770_000_000_000;
  const create = kind === "messenger" ? createMessengerEmulator : createInstagramEmulator;
  const emulator = await create({
    delivery: "manual",
    clock: { now: () => new Date(at) },
    pages: [{ ...PAGE, webhook: { url: receiver.url, verifyToken: "verify" } }],
    ...options,
  });
  const client = new MessengerClient({
    accessToken: PAGE.accessToken,
    origin: emulator.url,
    version: "25.0",
  });
  emulator.inbound({ pageId: PAGE.id, from: SARA, text: "مرحبا / 😀" });
  return {
    emulator,
    client,
    receiver,
    items: (): Record<string, unknown>[] =>
      receiver.received.flatMap(({ body }) =>
        (JSON.parse(body) as { entry: { messaging?: Record<string, unknown>[] }[] }).entry.flatMap(
          (entry) => entry.messaging ?? [],
        ),
      ),
    tick: (ms: number) => (at += ms),
    async [Symbol.asyncDispose]() {
      await emulator.close();
      await receiver[Symbol.asyncDispose]();
    },
  };
}
/** The client's words for a refusal: "Messenger API - 10 OAuthException (#10) …". */
const refusal = (work: Promise<unknown>) =>
  work.then(
    () => "accepted",
    (error: unknown) => String(error),
  );

test("messaging-api-messenger sends text, a template, an action and a tag, and reads the customer's profile", async () => {
  await using t = await start();
  await using web = await startFileServer({ "/a.png": { type: "image/png", bytes: FILES.png } });
  const answer = await t.client.sendText(SARA, "أهلا 👋", { messagingType: "RESPONSE" });
  assert.equal(answer.recipientId, SARA);
  assert.match(answer.messageId, /^m_/);
  await t.client.sendImage(SARA, `${web.url}/a.png`);
  await t.client.typingOn(SARA);
  await t.client.sendText(SARA, "late", { tag: "HUMAN_AGENT" });
  assert.deepEqual(
    t.emulator.messages().map(({ text, messagingType, tag }) => [text, messagingType, tag]),
    [
      ["أهلا 👋", "RESPONSE", null],
      [null, "UPDATE", null],
      ["late", "MESSAGE_TAG", "HUMAN_AGENT"],
    ],
  );
  assert.equal((await t.client.getUserProfile(SARA)).firstName, "Customer");
  assert.equal((await t.client.getPageInfo()).id, PAGE.id);
});

test("its errors carry the platform's codes: window, length, stranger, blocked, token", async () => {
  await using t = await start();
  const text = (words: string, to = SARA) =>
    refusal(t.client.sendText(to, words, { messagingType: "RESPONSE" }));
  assert.equal(await text("x".repeat(2000)), "accepted");
  assert.match(await text("x".repeat(2001)), /#100\).*2000/);
  assert.match(await text("hi", "25400000009999"), /#100\) No matching user/);
  for (const [ending, code] of [
    ["0551", 551],
    ["0190", "Invalid OAuth"],
    ["0613", 613],
  ] as const) {
    const customer = `9990000000${ending}`;
    t.emulator.inbound({ pageId: PAGE.id, from: customer, text: "hi" });
    assert.match(await text("hi", customer), new RegExp(String(code)));
  }
  t.tick(24 * 3_600_000);
  assert.match(await text("late"), /#10\).*outside of allowed window/);
  assert.equal(await refusal(t.client.sendText(SARA, "late", { tag: "HUMAN_AGENT" })), "accepted");
  t.tick(6 * 24 * 3_600_000);
  assert.match(await refusal(t.client.sendText(SARA, "late", { tag: "HUMAN_AGENT" })), /#10\)/);
});

test("callbacks are escaped, signed over those bytes, and come as message, echo, delivery and read", async () => {
  await using t = await start();
  await t.emulator.flush();
  await t.client.sendText(SARA, "hello", { messagingType: "RESPONSE" });
  await t.emulator.flush();
  for (const { body, headers } of t.receiver.received) {
    assert.match(body, /^[\x20-\x7e]*$/);
    const digest = createHmac("sha256", PAGE.appSecret).update(body).digest("hex");
    assert.equal(headers["x-hub-signature-256"], `sha256=${digest}`);
  }
  assert.match(
    t.receiver.received[0]?.body ?? "",
    /\\u0645\\u0631\\u062d\\u0628\\u0627 \\\/ \\ud83d\\ude00/,
  );
  const kinds = t.items().map((item) => Object.keys(item).at(-1));
  assert.deepEqual(kinds, ["message", "message", "delivery", "read"]);
  const [, echo] = t.items();
  assert.deepEqual([echo?.["sender"], echo?.["recipient"]], [{ id: PAGE.id }, { id: SARA }]);
});

test("only subscribed fields are called back", async () => {
  await using t = await start();
  await t.emulator.flush();
  const url = `${t.emulator.apiUrl}/me/subscribed_apps`;
  const call = (method: string, query = "") =>
    fetch(`${url}${query}`, { method, headers: { authorization: `Bearer ${PAGE.accessToken}` } });
  assert.equal((await call("POST")).status, 400);
  assert.equal((await call("POST", "?subscribed_fields=messages,message_reads")).status, 200);
  await t.client.sendText(SARA, "hello", { messagingType: "RESPONSE" });
  await t.emulator.flush();
  assert.deepEqual(
    t.items().map((item) => Object.keys(item).at(-1)),
    ["message", "read"],
  );
  assert.equal((await call("DELETE")).status, 200);
  t.emulator.inbound({ pageId: PAGE.id, from: SARA, text: "unheard" });
  assert.equal(await t.emulator.flush(), 0);
});

test("Instagram counts bytes, echoes no metadata and tells reads by message", async () => {
  await using t = await start({}, "instagram");
  await t.emulator.flush();
  const send = (text: string) =>
    refusal(t.client.sendRawBody({ recipient: { id: SARA }, message: { text } }));
  assert.equal(await send("ع".repeat(500)), "accepted");
  assert.match(await send("ع".repeat(501)), /#100\).*1000/);
  await t.emulator.flush();
  const [, echo, read] = t.items();
  assert.deepEqual(Object.keys(echo?.["message"] ?? {}), ["mid", "text", "is_echo"]);
  assert.deepEqual(read?.["read"], { mid: t.emulator.messages()[0]?.id });
});

test("the control surface plays the customer and shows the ledger", async () => {
  await using t = await start();
  const sim = `${t.emulator.url}/_sim/messenger`;
  const post = async (name: string, body: object) => {
    const answer = await fetch(`${sim}/${name}`, { method: "POST", body: JSON.stringify(body) });
    return { status: answer.status, body: await answer.text() };
  };
  assert.match((await post("inbound", { pageId: PAGE.id, from: SARA, text: "hi" })).body, /"m_/);
  assert.match((await post("fault", { kind: "code", code: 613 })).body, /1/);
  assert.match(await refusal(t.client.sendText(SARA, "hi")), /613/);
  assert.equal((await post("mark", { pageId: PAGE.id, from: SARA, status: "read" })).status, 200);
  assert.equal((await post("nothing", {})).status, 400);
  const ledger = await (await fetch(`${sim}/ledger`)).text();
  assert.equal(ledger, '{"total":0,"complete":true,"repeated":[]}');
});
