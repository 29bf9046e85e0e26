import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, beforeEach, test } from "node:test";
import { createTikTokEmulator, type TikTokEmulator, type TikTokSigning } from "@parley/emulators";
import type { FastifyInstance } from "fastify";
import { createKey } from "../../src/api-keys/create-key.ts";
import { connectAccount } from "../../src/channels/connect-account.ts";
import { disconnectChannel } from "../../src/channels/disconnect-channel.ts";
import { findChannel } from "../../src/channels/list-channels.ts";
import { updateCredentials } from "../../src/channels/update-credentials.ts";
import { sql } from "../../src/db/sql.ts";
import { buildHttp } from "../../src/http/server.ts";
import { createEndpoint } from "../../src/webhooks/create-endpoint.ts";
import { createWorkspace } from "../../src/workspaces/create-workspace.ts";
import { startTestApp, type TestApp } from "../harness.ts";

/** The whole way over real HTTP: our server, the emulated TikTok, and a customer's webhook endpoint. */
const CUSTOMER = "a1B2-user";
const HOUR = 3_600_000;

let t: TestApp;
let server: FastifyInstance;
let base: string;
let tiktok: TikTokEmulator;
const received: { type: string; data: Record<string, unknown> }[] = [];
const receiver = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const event = JSON.parse(Buffer.concat(chunks).toString("utf8")) as (typeof received)[number];
    received.push({ type: event.type, data: event.data });
    response.end("ok");
  });
});

before(async () => {
  t = await startTestApp();
  server = await buildHttp(t.app);
  base = await server.listen({ host: "127.0.0.1", port: 0 });
  tiktok = await createTikTokEmulator({ delivery: "manual", clock: t.clock });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
});
after(async () => {
  await tiktok.close();
  await server.close();
  await new Promise((resolve) => receiver.close(resolve));
  await t[Symbol.asyncDispose]();
});
beforeEach(() => {
  received.length = 0;
  tiktok.clear();
  // Each test in a second of its own: replies count from the time of the customer's message.
  t.clock.advance(1000);
});

interface Shop {
  readonly workspaceId: string;
  readonly channelId: string;
  readonly businessId: string;
  reply(text: string): Promise<{ id: string; status: string; errorCode: string | null }>;
}

let shops = 0;
const accountOf = (n: number) => ({
  businessId: `-000biz+${n}`,
  accessToken: `act.token-${n}`,
  appId: String(7_300_000_000_000_000_000n + BigInt(n)),
  appSecret: `tt-secret-${n}`,
});

async function openShop(): Promise<Shop> {
  const account = accountOf(++shops);
  const { businessId } = account;
  const { id: workspaceId } = await createWorkspace(t.app, { name: "Shop", plan: "business" });
  tiktok.addBusiness(account);
  const channel = await connectAccount(t.app, workspaceId, {
    type: "TIKTOK",
    name: "Shop",
    ...account,
    apiUrl: tiktok.url,
  });
  assert.equal(channel.status, "connected");
  // The test's server listens on a port of its own.
  tiktok.addBusiness({ ...account, webhookUrl: `${base}/hooks/tiktok/${channel.id}` });
  const { bearer } = await createKey(t.app, workspaceId);
  return {
    workspaceId,
    channelId: channel.id,
    businessId,
    async reply(text) {
      const conversationId = await conversationOf(workspaceId);
      const answer = await fetch(`${base}/api/v1/messages`, {
        method: "POST",
        headers: { authorization: `Bearer ${bearer}`, "content-type": "application/json" },
        body: JSON.stringify({ conversationId, text }),
      });
      assert.equal(answer.status, 201);
      const { id, status } = (await answer.json()) as { id: string; status: string };
      const rows = await t.app.db.query<{ error_code: string | null }>(
        sql`select error_code from message where workspace_id = ${workspaceId} and id = ${id}`,
      );
      return { id, status, errorCode: rows[0]?.error_code ?? null };
    },
  };
}

async function conversationOf(workspaceId: string): Promise<string> {
  const rows = await t.app.db.query<{ id: string }>(
    sql`select id from conversation where workspace_id = ${workspaceId}`,
  );
  assert.equal(rows.length, 1);
  return rows[0]?.id ?? "";
}

async function write(shop: Shop, text = "hello", from = CUSTOMER): Promise<void> {
  tiktok.inbound({ businessId: shop.businessId, from, name: "mona", text });
  await tiktok.flush();
}

/** Sends what waits and takes in what the platform says of it. */
async function settle(): Promise<void> {
  await t.app.drain();
  await tiktok.flush();
  await t.app.drain();
}

async function stored(shop: Shop, id: string) {
  const rows = await t.app.db.query<{
    status: string;
    error_code: string | null;
    provider_message_id: string | null;
  }>(sql`select status, error_code, provider_message_id from message
    where workspace_id = ${shop.workspaceId} and id = ${id}`);
  return rows[0];
}

async function messagesOf(shop: Shop): Promise<string[]> {
  const rows = await t.app.db.query<{ line: string }>(sql`
    select direction || ' ' || source || ' ' || text as line from message
    where workspace_id = ${shop.workspaceId} order by id`);
  return rows.map(({ line }) => line);
}

const statusOf = async (shop: Shop) =>
  (await findChannel(t.app, shop.workspaceId, shop.channelId)).status;

test("a customer writes, we reply to the conversation, TikTok echoes it and it is read: told to the webhook", async () => {
  const shop = await openShop();
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/events`;
  await createEndpoint(t.app, shop.workspaceId, { url });
  assert.equal(await tiktok.subscribe(shop.businessId), true);
  await write(shop, "مرحبا 😀 / hello");
  const { id, status } = await shop.reply("أهلا Mona 🌷");
  assert.equal(status, "sent");
  await t.app.drain();
  const [sent] = tiktok.messages();
  assert.deepEqual([sent?.to, sent?.text], [CUSTOMER, "أهلا Mona 🌷"]);
  const request = tiktok.requests().find(({ path }) => path.endsWith("/message/send/"));
  const body = JSON.parse(request?.body ?? "{}") as Record<string, unknown>;
  assert.deepEqual(body, {
    business_id: shop.businessId,
    recipient_type: "CONVERSATION",
    recipient: sent?.conversationId,
    message_type: "TEXT",
    text: { body: "أهلا Mona 🌷" },
  });
  assert.equal((await stored(shop, id))?.provider_message_id, sent?.id);
  t.clock.advance(1000);
  await settle();
  assert.equal((await stored(shop, id))?.status, "read");
  assert.deepEqual(await messagesOf(shop), [
    "inbound channel مرحبا 😀 / hello",
    "outbound api أهلا Mona 🌷",
  ]);
  const inbound = received.find(({ type }) => type === "message.received");
  const message = inbound?.data["message"] as { text: string } | undefined;
  assert.equal(message?.text, "مرحبا 😀 / hello");
  const created = received.find(({ type }) => type === "contact.created");
  const contact = created?.data["contact"] as Record<string, unknown> | undefined;
  assert.deepEqual(
    [contact?.["name"], contact?.["channelType"], contact?.["externalId"]],
    ["mona", "TIKTOK", CUSTOMER],
  );
  assert.deepEqual(
    received
      .filter(({ type }) => type === "message.status")
      .map(({ data }) => `${String(data["previousStatus"])}>${String(data["status"])}`),
    ["sent>read"],
  );
  assert.equal(received.filter(({ type }) => type === "message.created").length, 0);
});

test("the tenth reply goes, the eleventh is stored failed and never sent; the customer writes and it goes again", async () => {
  const shop = await openShop();
  await write(shop);
  t.clock.advance(1000);
  for (let n = 1; n <= 10; n++) assert.equal((await shop.reply(`reply ${n}`)).status, "sent");
  const eleventh = await shop.reply("reply 11");
  assert.deepEqual([eleventh.status, eleventh.errorCode], ["failed", "REPLY_LIMIT_REACHED"]);
  await settle();
  assert.equal(tiktok.messages().length, 10);
  t.clock.advance(1000);
  await write(shop, "still there?");
  t.clock.advance(1000);
  const next = await shop.reply("yes");
  await settle();
  assert.equal((await stored(shop, next.id))?.status, "read");
  assert.equal(tiktok.messages().length, 11);
});

test("what a person answers in TikTok's app is stored once, counts, and is no message of ours", async () => {
  const shop = await openShop();
  await write(shop);
  t.clock.advance(1000);
  for (let n = 1; n <= 9; n++) tiktok.reply(shop.businessId, CUSTOMER, `by hand ${n}`);
  await tiktok.flush();
  assert.equal((await messagesOf(shop)).at(-1), "outbound channel by hand 9");
  assert.equal((await shop.reply("the tenth")).status, "sent");
  assert.equal((await shop.reply("too many")).errorCode, "REPLY_LIMIT_REACHED");
  await settle();
  assert.equal(tiktok.messages().length, 1);
});

test("a reply goes until a second before the 48 hours end and never after", async () => {
  const shop = await openShop();
  await write(shop);
  t.clock.advance(48 * HOUR - 1000);
  assert.equal((await shop.reply("in time")).status, "sent");
  await settle();
  assert.equal(tiktok.messages().length, 1);
  t.clock.advance(1000);
  const late = await shop.reply("late");
  assert.deepEqual([late.status, late.errorCode], ["failed", "131047"]);
  await settle();
  assert.equal(tiktok.messages().length, 1);
});

test("40100 with HTTP 200: the whole channel waits a minute, then the reply goes once", async () => {
  const shop = await openShop();
  await write(shop);
  tiktok.fault({ kind: "code", code: 40100 });
  const { id } = await shop.reply("hello");
  await t.app.drain();
  assert.equal(tiktok.messages().length, 0);
  const { throttledUntil } = await findChannel(t.app, shop.workspaceId, shop.channelId);
  assert.equal(throttledUntil?.getTime(), t.clock.now().getTime() + 60_000);
  t.clock.advance(59_000);
  await t.app.drain();
  assert.equal(tiktok.messages().length, 0);
  t.clock.advance(1000);
  await settle();
  assert.equal(tiktok.messages().length, 1);
  assert.deepEqual(tiktok.ledger.repeated(), []);
  assert.equal((await stored(shop, id))?.status, "read");
});

test("40102: the channel turns to error, replies fail without a call and without counting, a new token brings it back", async () => {
  const shop = await openShop();
  await write(shop);
  t.clock.advance(1000);
  const account = accountOf(shops);
  tiktok.addBusiness({ ...account, tokenExpiresAt: t.clock.now().getTime() });
  const { id } = await shop.reply("hello");
  await t.app.drain();
  const failed = await stored(shop, id);
  assert.deepEqual([failed?.status, failed?.error_code], ["failed", "40102"]);
  assert.equal(await statusOf(shop), "error");
  assert.equal((await shop.reply("again")).errorCode, "CHANNEL_ERROR");
  tiktok.addBusiness({ ...account, accessToken: "act.renewed" });
  await updateCredentials(t.app, shop.workspaceId, shop.channelId, { accessToken: "act.renewed" });
  for (let n = 1; n <= 10; n++) assert.equal((await shop.reply(`reply ${n}`)).status, "sent");
  await settle();
  assert.equal(tiktok.messages().length, 10);
});

test("a token that expires while nobody writes is seen within the hour", async () => {
  const shop = await openShop();
  await t.app.drain();
  tiktok.addBusiness({ ...accountOf(shops), tokenExpiresAt: t.clock.now().getTime() });
  t.clock.advance(HOUR);
  await t.app.drain();
  const channel = await findChannel(t.app, shop.workspaceId, shop.channelId);
  assert.equal(channel.status, "error");
  assert.match(channel.statusReason ?? "", /^40102: /);
});

test("a connect with a token that TikTok refuses stores nothing", async () => {
  const account = accountOf(++shops);
  tiktok.addBusiness(account);
  const { id } = await createWorkspace(t.app, { name: "Shop", plan: "business" });
  const wrong = { type: "TIKTOK" as const, name: "Shop", ...account, accessToken: "act.stolen" };
  await assert.rejects(
    connectAccount(t.app, id, { ...wrong, apiUrl: tiktok.apiUrl }),
    (error: Error) => {
      assert.match(JSON.stringify(error), /40105/);
      return true;
    },
  );
  const rows = await t.app.db.query(sql`select 1 from channel where workspace_id = ${id}`);
  assert.equal(rows.length, 0);
});

test("a connect with the app's id enters our address there; a disconnected channel answers 404", async () => {
  const shop = await openShop();
  const update = tiktok.requests().find(({ path }) => path.endsWith("/webhook/update/"));
  const body = JSON.parse(update?.body ?? "{}") as Record<string, unknown>;
  assert.equal(body["callback_url"], `${t.app.config.publicUrl}/hooks/tiktok/${shop.channelId}`);
  await disconnectChannel(t.app, shop.workspaceId, shop.channelId);
  await write(shop);
  assert.deepEqual(
    tiktok.webhooks().map(({ status }) => status),
    [404],
  );
});

test("events that are not signed as TikTok signs are refused and change nothing", async () => {
  const shop = await openShop();
  const modes: readonly TikTokSigning[] = [
    "missing",
    "wrong",
    "upper_hex",
    "short_hex",
    "old",
    "future",
    "changed_body",
  ];
  for (const mode of modes) {
    tiktok.clear();
    tiktok.sign(mode);
    await write(shop, mode);
    assert.deepEqual(
      tiktok.webhooks().map(({ status }) => status),
      [401],
      mode,
    );
  }
  assert.deepEqual(await messagesOf(shop), []);
});

test("another business's app cannot write to this one; two accounts of one app share an address", async () => {
  const [a, b] = [await openShop(), await openShop()];
  const first = accountOf(shops - 1);
  const second = accountOf(shops);
  // Signed by b's app, sent to b's address, and it names a.
  const url = `${base}/hooks/tiktok/${b.channelId}`;
  tiktok.addBusiness({ ...first, appId: "1", appSecret: second.appSecret, webhookUrl: url });
  await write(a, "forged");
  assert.deepEqual(await messagesOf(a), []);
  await updateCredentials(t.app, a.workspaceId, a.channelId, { appSecret: second.appSecret });
  await write(a, "of one app");
  assert.deepEqual(await messagesOf(a), ["inbound channel of one app"]);
  assert.deepEqual(await messagesOf(b), []);
});

test("an event that comes three times at once is stored once; one without content is let go", async () => {
  const shop = await openShop();
  tiktok.inbound({ businessId: shop.businessId, from: CUSTOMER, text: "once", times: 3 });
  tiktok.inboundFromEurope(shop.businessId);
  await Promise.all([tiktok.flush(), tiktok.flush()]);
  assert.deepEqual(await messagesOf(shop), ["inbound channel once"]);
  assert.equal(tiktok.stats.delivered >= 4, true);
});

/** By magic ending of the customer's id: what the platform does with a reply, and what must become of it. */
const ENDINGS: readonly (readonly [string, ending: string, status: string, code: string | null])[] =
  [
    ["echo and read mark before the answer", "0908", "read", null],
    ["the echo twice", "0904", "read", null],
    ["a read mark without an echo", "0903", "read", null],
    ["an echo alone", "0901", "sent", null],
    ["neither", "0907", "sent", null],
    ["a conversation that is gone", "0007", "failed", "40007"],
  ];
for (const [name, ending, status, code] of ENDINGS) {
  test(`${name}: one message, which ends ${status}`, async () => {
    const shop = await openShop();
    await write(shop, "hello", `user${ending}`);
    t.clock.advance(1000);
    const { id } = await shop.reply("hi");
    await t.app.drain();
    t.clock.advance(1000);
    await settle();
    const message = await stored(shop, id);
    assert.deepEqual([message?.status, message?.error_code], [status, code]);
    assert.deepEqual(await messagesOf(shop), ["inbound channel hello", "outbound api hi"]);
  });
}

test("a platform whose clock is behind ours: the reading of a reply is still told", async () => {
  const shop = await openShop();
  await write(shop);
  t.clock.advance(1000);
  tiktok.clock.advance(-5000);
  try {
    const { id } = await shop.reply("hi");
    await settle();
    assert.equal((await stored(shop, id))?.status, "read");
  } finally {
    tiktok.clock.advance(5000);
  }
});

test("a reply whose answer was lost is settled by its echo and never sent again", async () => {
  const shop = await openShop();
  await write(shop);
  t.clock.advance(1000);
  for (const kind of ["drop", "html", "truncated"] as const) tiktok.fault({ kind, accepted: true });
  const ids: string[] = [];
  for (const text of ["one", "two", "three"]) {
    ids.push((await shop.reply(text)).id);
    await t.app.drain();
  }
  assert.equal(tiktok.messages().length, 3);
  t.clock.advance(1000);
  await settle();
  for (const id of ids) assert.equal((await stored(shop, id))?.status, "read");
  t.clock.advance(HOUR);
  await settle();
  assert.equal(tiktok.messages().length, 3);
  assert.deepEqual(tiktok.ledger.repeated(), []);
  assert.equal((await messagesOf(shop)).length, 4);
});
