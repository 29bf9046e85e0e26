import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { createServer } from "node:http";
import { test } from "node:test";
import { createTikTokEmulator, type TikTokOptions } from "../src/index.ts";
import { tiktokSignature } from "../src/tiktok/signature.ts";

// No package is a client of TikTok's messaging that we did not write: the shapes are the documents'.
const BUSINESS = "biz-123";
const SECRET = "tt-secret-1";
const START = Date.parse("2026-11-21T10:00:00.000Z");

async function start(options: TikTokOptions = {}) {
  const received: { body: string; signature: string }[] = [];
  const state = { status: 200 };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const signature = String(request.headers["tiktok-signature"]);
      received.push({ body: Buffer.concat(chunks).toString("utf8"), signature });
      response.writeHead(state.status).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  const emulator = await createTikTokEmulator({
    delivery: "manual",
    clock: { now: () => new Date(START) },
    businesses: [
      {
        businessId: BUSINESS,
        accessToken: "act.token",
        appSecret: SECRET,
        webhookUrl: `http://127.0.0.1:${port}/hook`,
      },
    ],
    ...options,
  });
  const call = async (
    path: string,
    init: Omit<RequestInit, "headers"> & { headers?: Record<string, string> } = {},
  ) => {
    const answer = await fetch(`${emulator.apiUrl}${path}`, {
      ...init,
      headers: { "access-token": "act.token", "content-type": "application/json", ...init.headers },
    });
    const body = (await answer.json()) as Record<string, unknown>;
    return { status: answer.status, code: body["code"], message: String(body["message"]), body };
  };
  const send = (recipient: string, more: object = {}, headers: Record<string, string> = {}) =>
    call("/business/message/send/", {
      method: "POST",
      headers,
      body: JSON.stringify({
        business_id: BUSINESS,
        recipient_type: "CONVERSATION",
        recipient,
        message_type: "TEXT",
        text: { body: "hello" },
        ...more,
      }),
    });
  const close = async () => {
    await emulator.close();
    await new Promise((resolve) => server.close(resolve));
  };
  return { emulator, received, state, call, send, [Symbol.asyncDispose]: close };
}

/** The customer writes; gives the conversation and forgets the event. */
async function written(one: Awaited<ReturnType<typeof start>>, from = "user-A"): Promise<string> {
  one.emulator.inbound({ businessId: BUSINESS, from, name: "mona", text: "hi" });
  await one.emulator.flush();
  const { body = "{}" } = one.received.at(-1) ?? {};
  const content = JSON.parse((JSON.parse(body) as { content: string }).content) as object;
  assert.ok("conversation_id" in content);
  return String(content.conversation_id);
}

test("the signature of the document's vector", () => {
  const body =
    '{"client_key":"app1","event":"im_receive_msg","create_time":1700000000,"user_openid":"biz-123","content":"{}"}';
  assert.equal(
    tiktokSignature(SECRET, 1_700_000_000, Buffer.from(body)),
    "t=1700000000,s=0a0f66ec3999fdf50b82cebccb61d243269fe0037cbe052f1a48404720cf2a0d",
  );
});

test("an inbound message is one event: JSON in a string, signed over time and bytes", async () => {
  await using one = await start();
  one.emulator.inbound({ businessId: BUSINESS, from: "user-A", name: "mona", text: "مرحبا" });
  await one.emulator.flush();
  const [event] = one.received;
  assert.ok(event);
  const [, at, digest] = /^t=(\d+),s=([0-9a-f]{64})$/.exec(event.signature) ?? [];
  assert.equal(at, String(START / 1000));
  assert.equal(digest, createHmac("sha256", SECRET).update(`${at}.${event.body}`).digest("hex"));
  const envelope = JSON.parse(event.body) as Record<string, unknown>;
  assert.deepEqual(Object.keys(envelope), [
    "client_key",
    "event",
    "create_time",
    "user_openid",
    "content",
  ]);
  assert.equal(envelope["event"], "im_receive_msg");
  const content = JSON.parse(String(envelope["content"])) as Record<string, unknown>;
  assert.match(String(content["conversation_id"]), /\+.*\/.*=/);
  assert.deepEqual(
    [content["type"], content["text"], content["from"], content["timestamp"]],
    ["text", { body: "مرحبا" }, "mona", START],
  );
});

test("a send is answered 200 with code 0 and an id; echo and read mark follow", async () => {
  await using one = await start();
  const conversation = await written(one);
  const { status, code, body } = await one.send(conversation);
  assert.deepEqual([status, code, body["message"]], [200, 0, "OK"]);
  const { message } = body["data"] as { message: { message_id: string } };
  await one.emulator.flush();
  const events = one.received
    .slice(1)
    .map((event) => JSON.parse(event.body) as { event: string; content: string });
  assert.deepEqual(
    events.map(({ event }) => event),
    ["im_send_msg", "im_mark_read_msg"],
  );
  const [echo, mark] = events.map(({ content }) => JSON.parse(content) as Record<string, unknown>);
  assert.equal(echo?.["message_id"], message.message_id);
  assert.deepEqual(echo?.["message_tag"], { source: "API" });
  const { last_read_timestamp: until } = (mark ?? {})["read"] as {
    last_read_timestamp: number;
  };
  assert.ok(until > START);
});

const REFUSALS: readonly (readonly [
  name: string,
  code: number,
  more: object,
  headers?: Record<string, string>,
])[] = [
  ["no token", 40104, {}, { "access-token": "" }],
  ["a wrong token", 40105, {}, { "access-token": "act.other" }],
  ["another business", 40001, { business_id: "biz-999" }],
  ["another kind of recipient", 40002, { recipient_type: "USER" }],
  ["an unknown conversation", 40007, { recipient: "u5+/nobody=" }],
  ["an empty text", 40002, { text: { body: "" } }],
  ["6,001 characters", 40002, { text: { body: "x".repeat(6001) } }],
  ["text and image together", 40002, { image: { media_id: "1" } }],
  ["an unknown type", 40002, { message_type: "AUDIO" }],
];
for (const [name, code, more, headers] of REFUSALS) {
  test(`${name} is refused with ${code}, still HTTP 200`, async () => {
    await using one = await start();
    const answer = await one.send(await written(one), more, headers);
    assert.deepEqual([answer.status, answer.code], [200, code]);
    assert.equal(one.emulator.messages().length, 0);
  });
}

test("6,000 characters and an action are accepted; the action has no id and is not a message", async () => {
  await using one = await start();
  const conversation = await written(one);
  assert.equal((await one.send(conversation, { text: { body: "x".repeat(6000) } })).code, 0);
  const typing = { message_type: "SENDER_ACTION", sender_action: "TYPING", text: undefined };
  const action = await one.send(conversation, typing);
  assert.deepEqual(action.body["data"], { message: { message_id: "" } });
  assert.equal(one.emulator.messages().length, 1);
});

test("ten messages and 48 hours; the refusals say that they are made up, and a customer's message opens both again", async () => {
  await using one = await start();
  const conversation = await written(one);
  one.emulator.reply(BUSINESS, "user-A", "by hand");
  for (let n = 0; n < 9; n++) assert.equal((await one.send(conversation)).code, 0);
  const eleventh = await one.send(conversation);
  assert.equal(eleventh.code, 40002);
  assert.match(eleventh.message, /^\(synthetic\).*10 messages/);
  await written(one);
  one.emulator.clock.advance(48 * 3_600_000 - 1);
  assert.equal((await one.send(conversation)).code, 0);
  one.emulator.clock.advance(1);
  assert.match((await one.send(conversation)).message, /^\(synthetic\).*48-hour/);
});

test("a token expires, calls beyond the limit are throttled, a fault has the requested code", async () => {
  await using one = await start({ callsPerSecond: 2 });
  const conversation = await written(one);
  one.emulator.fault({ kind: "code", code: 61000, status: 429 });
  const fault = await one.send(conversation);
  assert.deepEqual([fault.status, fault.code], [429, 61000]);
  assert.equal((await one.send(conversation)).code, 0);
  const list = "/business/message/conversation/list/?conversation_type=SINGLE&business_id=";
  const listed = await one.call(list + BUSINESS);
  assert.deepEqual(listed.body["data"], {
    conversations: [{ conversation_id: conversation, update_time: START }],
    cursor: 1,
    has_more: false,
  });
  assert.equal((await one.send(conversation)).code, 40100);
  const [business] = one.emulator.businesses.values();
  assert.ok(business);
  one.emulator.addBusiness({ ...business, tokenExpiresAt: START });
  assert.equal((await one.send(conversation)).code, 40102);
});

test("the app's own call sets the address for all its accounts", async () => {
  await using one = await start();
  const update = (secret: string) =>
    one.call("/business/webhook/update/", {
      method: "POST",
      body: JSON.stringify({
        app_id: "7300000000000000000",
        secret,
        event_type: "DIRECT_MESSAGE",
        callback_url: "http://127.0.0.1:9/elsewhere",
      }),
    });
  assert.equal((await update("wrong")).code, 40001);
  assert.equal((await update(SECRET)).code, 0);
  one.emulator.inbound({ businessId: BUSINESS, from: "user-A", text: "hi" });
  await one.emulator.flush();
  assert.equal(one.emulator.webhooks()[0]?.url, "http://127.0.0.1:9/elsewhere");
});

test("an event that is not acknowledged comes again, for about 72 hours", async () => {
  await using one = await start();
  one.state.status = 503;
  one.emulator.inbound({ businessId: BUSINESS, from: "user-A", text: "hi" });
  await one.emulator.advance(0);
  for (let n = 0; n < 75 * 12; n++) await one.emulator.advance(300_000);
  const times = one.emulator.webhooks().map(({ at }) => at - START);
  assert.ok(times.length > 9 && times.length < 20, String(times.length));
  assert.ok((times.at(-1) ?? 0) < 73 * 3_600_000);
  assert.equal(one.emulator.stats.abandoned, 1);
});

test("the ledger shows a message that was accepted twice", async () => {
  await using one = await start();
  const conversation = await written(one);
  one.emulator.fault({ kind: "drop", accepted: true });
  await assert.rejects(one.send(conversation));
  assert.deepEqual(one.emulator.ledger.repeated(), []);
  await one.send(conversation);
  assert.deepEqual(
    one.emulator.ledger.repeated().map(({ to, count }) => [to, count]),
    [["user-A", 2]],
  );
});

test("the control surface does what the methods do", async () => {
  await using one = await start();
  const act = async (name: string, body: object) => {
    const address = `${one.emulator.url}/_sim/tiktok/${name}`;
    const answer = await fetch(address, { method: "POST", body: JSON.stringify(body) });
    return (await answer.json()) as Record<string, unknown>;
  };
  await act("inbound", { businessId: BUSINESS, from: "user-A", text: "hi", times: 2 });
  assert.deepEqual(await act("flush", {}), { delivered: 2 });
  await act("sign", { mode: "short_hex" });
  await act("read", { businessId: BUSINESS, customer: "user-A" });
  await act("reply", { businessId: BUSINESS, to: "user-A", text: "by hand" });
  await act("flush", {});
  assert.equal(one.received.length, 4);
  assert.match(String(one.received[2]?.signature), /^t=\d+,s=[0-9a-f]{31}$/);
  assert.match(String((await act("nothing", {}))["error"]), /nothing to do/);
});

test("a reaction and an arrival by an advertisement are told, and neither lets the business write", async () => {
  await using one = await start();
  const act = (name: string, body: object) =>
    fetch(`${one.emulator.url}/_sim/tiktok/${name}`, {
      method: "POST",
      body: JSON.stringify(body),
    });
  const who = { businessId: BUSINESS, from: "user-A" };
  await act("refer", { ...who, referral: { source: "ad", ad: { ad_id: "1801" } } });
  await act("react", { ...who, to: "7431", emoji: "👍", taken: true });
  await act("flush", {});
  const told = one.received.map(({ body }) => {
    const { event, content } = JSON.parse(body) as { event: string; content: string };
    return { event, content: JSON.parse(content) as Record<string, unknown> };
  });
  const [arrival, reaction] = told;
  assert.deepEqual(
    told.map(({ event }) => event),
    ["im_referral_msg", "im_receive_msg"],
  );
  assert.deepEqual(arrival?.content["referral"], { source: "ad", ad: { ad_id: "1801" } });
  assert.equal(arrival?.content["message_id"], undefined);
  const entries: unknown = reaction?.content["reaction"];
  assert.match(JSON.stringify(entries), /"operation":"REMOVE".*"original_msg_id":"7431"/);
  const { code, message } = await one.send(String(arrival?.content["conversation_id"]));
  assert.notEqual(code, 0);
  assert.match(message, /\(synthetic\)/);
});
