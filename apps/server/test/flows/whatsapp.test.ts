import { OPERATOR } from "../../src/actor.ts";
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { after, afterEach, before, beforeEach, test } from "node:test";
import { createWhatsAppEmulator, type WhatsAppEmulator } from "@parley/emulators";
import type { FastifyInstance } from "fastify";
import { createKey } from "../../src/api-keys/create-key.ts";
import { connectChannel } from "../../src/channels/connect-channel.ts";
import { findChannel } from "../../src/channels/list-channels.ts";
import { updateCredentials } from "../../src/channels/update-credentials.ts";
import { sql } from "../../src/db/sql.ts";
import { buildHttp } from "../../src/http/server.ts";
import { createEndpoint } from "../../src/webhooks/create-endpoint.ts";
import { createWorkspace } from "../../src/workspaces/create-workspace.ts";
import { startTestApp, type TestApp } from "../harness.ts";
import { whatsAppFault } from "../oracles/sent-documents.ts";
import { startReceiver } from "../webhook-receiver.ts";

/** The whole way over real HTTP: our server, the emulated Cloud API, and a customer's webhook endpoint. */
const WABA = "102290129340398";
const CUSTOMER = "96550001234";

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
beforeEach(() => {
  meta.clear();
});

afterEach(() => {
  for (const { path, body } of meta.requests())
    if (path.endsWith("/messages")) assert.equal(whatsAppFault(body), null);
});

interface Shop {
  readonly workspaceId: string;
  readonly channelId: string;
  readonly phoneNumberId: string;
  call(path: string, body?: object): Promise<{ status: number; body: unknown }>;
}

let numbers = 0;
async function openShop(): Promise<Shop> {
  const phoneNumberId = String(106540352242000 + ++numbers);
  const { id: workspaceId } = await createWorkspace(OPERATOR, t.app, {
    name: "Shop",
    plan: "business",
  });
  const account = {
    phoneNumberId,
    wabaId: WABA,
    accessToken: `EAAB${phoneNumberId}`,
    appSecret: "app-secret-1",
  };
  const channel = await connectChannel(OPERATOR, t.app, workspaceId, {
    type: "WHATSAPP",
    name: "Shop",
    ...account,
    verifyToken: "verify-1",
    apiUrl: meta.url,
  });
  const url = `${base}/hooks/whatsapp/${channel.id}`;
  meta.addNumber({ ...account, webhook: { url, verifyToken: "verify-1" } });
  const { bearer } = await createKey(OPERATOR, t.app, workspaceId);
  return {
    workspaceId,
    channelId: channel.id,
    phoneNumberId,
    async call(path, body) {
      const answer = await fetch(`${base}/api/v1${path}`, {
        method: body === undefined ? "GET" : "POST",
        headers: {
          authorization: `Bearer ${bearer}`,
          ...(body !== undefined && { "content-type": "application/json" }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      return { status: answer.status, body: await answer.json() };
    },
  };
}

/** The customer writes, so that there is a conversation to answer in. */
async function write(
  shop: Shop,
  text = "hello",
  who: { from: string } | { userId: string } = { from: CUSTOMER },
): Promise<string> {
  meta.inbound({ phoneNumberId: shop.phoneNumberId, name: "Sara", text, ...who });
  await meta.flush();
  const rows = await t.app.db.query<{ id: string }>(
    sql`select id from conversation where workspace_id = ${shop.workspaceId}`,
  );
  assert.equal(rows.length, 1);
  return rows[0]?.id ?? "";
}

async function reply(shop: Shop, conversationId: string, text: string): Promise<string> {
  const { status, body } = await shop.call("/messages", { conversationId, text });
  assert.equal(status, 201);
  const accepted = body as { id: string; status: string };
  assert.equal(accepted.status, "sent");
  return accepted.id;
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

test("connect, templates, a customer's message, our reply and its statuses, told to the webhook", async () => {
  const shop = await openShop();
  const receiver = await startReceiver();
  const url = `${receiver.base}/events`;
  const { secret } = await createEndpoint(OPERATOR, t.app, shop.workspaceId, { url });
  assert.equal(await meta.subscribe(shop.phoneNumberId), true);
  assert.equal(await meta.subscribe(shop.phoneNumberId, "another token"), false);

  const body = { type: "BODY", text: "طلبك {{1}} في الطريق {{2}}" };
  for (const name of ["order_update", "a_first"])
    meta.addTemplate(WABA, { name, language: "ar", components: [body] });
  const pending = { name: "later", language: "ar", status: "PENDING", components: [body] };
  meta.addTemplate(WABA, pending);
  await t.app.drain();
  const templates = await shop.call("/templates");
  assert.equal(templates.status, 200);
  const listed = templates.body as Record<string, unknown>[];
  assert.deepEqual(
    listed.map(({ name, bodyVariableCount, components }) => [name, bodyVariableCount, components]),
    [
      ["a_first", 2, [body]],
      ["order_update", 2, [body]],
    ],
  );
  const members =
    "bodyVariableCount category channelId components headerFormat id language lastSyncedAt metaId name status";
  assert.deepEqual(Object.keys(listed[0] ?? {}).sort(), members.split(" "));

  const conversationId = await write(shop, "مرحبا 😀 / hello");
  const id = await reply(shop, conversationId, "أهلا Sara 🌷");
  await t.app.drain();
  const [sent] = meta.messages();
  assert.deepEqual(
    [sent?.to, sent?.type, sent?.text, sent?.correlation],
    [CUSTOMER, "text", "أهلا Sara 🌷", id],
  );
  assert.equal((await stored(shop, id))?.provider_message_id, sent?.id);
  await meta.advance(60_000);
  await meta.flush();
  await t.app.drain();
  assert.equal((await stored(shop, id))?.status, "read");
  receiver.close();
  const received = receiver.received.map(({ headers, body }) => {
    const [, at, digest] =
      /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers["x-service-signature"])) ?? [];
    const wanted = createHmac("sha256", secret).update(`${at}.${body}`).digest("hex");
    const event = JSON.parse(body) as { type: string; data: Record<string, unknown> };
    return { type: event.type, data: event.data, valid: wanted === digest };
  });
  const inbound = received.find(({ type }) => type === "message.received");
  const message = inbound?.data["message"] as { text: string } | undefined;
  assert.equal(message?.text, "مرحبا 😀 / hello");
  assert.deepEqual(
    received
      .filter(({ type }) => type === "message.status")
      .map(({ data }) => `${String(data["previousStatus"])}>${String(data["status"])}`),
    ["sent>delivered", "delivered>read"],
  );
  assert.ok(received.length > 4 && received.every(({ valid }) => valid));
});

test("a reply whose answer was lost is settled by its callback and never sent again", async () => {
  const shop = await openShop();
  const conversationId = await write(shop);
  for (const kind of ["drop", "html", "truncated"] as const) meta.fault({ kind, accepted: true });
  const ids: string[] = [];
  for (const text of ["one", "two", "three"]) {
    ids.push(await reply(shop, conversationId, text));
    await t.app.drain();
  }
  assert.equal(meta.messages().length, 3);
  for (const id of ids) assert.equal((await stored(shop, id))?.provider_message_id, null);
  await meta.flush();
  await t.app.drain();
  for (const id of ids) {
    const message = await stored(shop, id);
    assert.equal(message?.status, "read");
    assert.ok(message.provider_message_id?.startsWith("wamid."));
  }
  t.clock.advance(3_600_000);
  await t.app.drain();
  assert.equal(meta.messages().length, 3);
  assert.deepEqual(meta.ledger.repeated(), []);
});

test("callbacks that are not signed as Meta signs are refused and change nothing", async () => {
  const shop = await openShop();
  for (const mode of ["missing", "wrong", "sha1_only", "upper_hex", "short_hex", "utf8"] as const) {
    meta.clear();
    meta.inbound({ phoneNumberId: shop.phoneNumberId, from: CUSTOMER, text: `مرحبا ${mode}` });
    meta.sign(mode);
    await meta.flush();
    assert.deepEqual(
      meta.webhooks().map(({ status }) => status),
      [401],
      mode,
    );
  }
  const rows = await t.app.db.query(
    sql`select 1 from message where workspace_id = ${shop.workspaceId}`,
  );
  assert.equal(rows.length, 0);
});

test("a refused token stops the channel once; a new one brings it back", async () => {
  const shop = await openShop();
  const conversationId = await write(shop);
  meta.fault({ kind: "code", code: 190 });
  const id = await reply(shop, conversationId, "hello");
  await t.app.drain();
  const message = await stored(shop, id);
  assert.deepEqual([message?.status, message?.error_code], ["failed", "190"]);
  assert.equal((await findChannel(t.app, shop.workspaceId, shop.channelId)).status, "error");
  await updateCredentials(OPERATOR, t.app, shop.workspaceId, shop.channelId, {});
  const second = await reply(shop, conversationId, "hello again");
  await t.app.drain();
  await meta.flush();
  await t.app.drain();
  assert.equal((await stored(shop, second))?.status, "read");
});

test("a template paused at the platform leaves the list by its push", async () => {
  const shop = await openShop();
  const components = [{ type: "BODY", text: "Hi" }];
  const template = meta.addTemplate(WABA, { name: "to_be_paused", language: "en_US", components });
  await t.app.drain();
  const names = async () =>
    ((await shop.call("/templates")).body as { name: string }[]).map(({ name }) => name);
  assert.ok((await names()).includes("to_be_paused"));
  meta.setTemplateStatus(WABA, template.id, "PAUSED");
  await meta.flush();
  assert.equal((await names()).includes("to_be_paused"), false);
  meta.setTemplateStatus(WABA, template.id, "APPROVED");
  await meta.flush();
  assert.ok((await names()).includes("to_be_paused"));
});

test("a throttled reply waits for what the platform asks and is then sent once", async () => {
  const shop = await openShop();
  const conversationId = await write(shop);
  meta.fault({ kind: "code", code: 130429, status: 429 });
  const id = await reply(shop, conversationId, "hello");
  await t.app.drain();
  assert.equal(meta.messages().length, 0);
  assert.ok((await findChannel(t.app, shop.workspaceId, shop.channelId)).throttledUntil);
  t.clock.advance(60_000);
  await t.app.drain();
  assert.equal(meta.messages().length, 1);
  await meta.flush();
  assert.equal((await stored(shop, id))?.status, "read");
});

/** By magic number (last four digits): what the platform does with a reply, and what must become of it. */
const ENDINGS: readonly (readonly [string, ending: string, status: string, code: string | null])[] =
  [
    ["statuses before the answer to the send", "0908", "read", null],
    ["statuses backwards", "0905", "read", null],
    ["every status twice", "0904", "read", null],
    ["read without delivered", "0903", "read", null],
    ["delivered after failed", "0906", "delivered", null],
    ["undeliverable", "0026", "failed", "131026"],
    ["the platform says the window is closed", "0047", "failed", "131047"],
    ["a spam limit", "0048", "failed", "131048"],
    ["refused in the answer", "0100", "failed", "100"],
  ];
for (const [name, ending, status, code] of ENDINGS) {
  test(`${name}: the reply ends ${status}`, async () => {
    const shop = await openShop();
    const conversationId = await write(shop, "hello", { from: `9995000${ending}` });
    const id = await reply(shop, conversationId, "hello");
    await t.app.drain();
    await meta.flush();
    await t.app.drain();
    const message = await stored(shop, id);
    assert.deepEqual([message?.status, message?.error_code], [status, code]);
    const channel = await findChannel(t.app, shop.workspaceId, shop.channelId);
    assert.equal(channel.status, "connected");
  });
}

test("a customer who stopped our messages (131050) is opted out", async () => {
  const shop = await openShop();
  const conversationId = await write(shop, "hello", { from: "99950000050" });
  await reply(shop, conversationId, "hello");
  await t.app.drain();
  await meta.flush();
  const contacts = await t.app.db.query<{ out: boolean }>(
    sql`select opted_out_at is not null as out from contact where workspace_id = ${shop.workspaceId}`,
  );
  assert.deepEqual(contacts, [{ out: true }]);
});

test("payment trouble that shows in a status only is brought to the admins, and free answers go on", async () => {
  const shop = await openShop();
  const conversationId = await write(shop);
  await reply(shop, conversationId, "hello");
  await t.app.drain();
  const [sent] = meta.messages();
  assert.ok(sent);
  meta.status({ id: sent.id, status: "failed", code: 131042 });
  await meta.flush();
  const channel = await findChannel(t.app, shop.workspaceId, shop.channelId);
  assert.equal(channel.status, "connected");
  const notices = await t.app.db.query<{ kind: string; body: string }>(
    sql`select kind, body from notice where workspace_id = ${shop.workspaceId}`,
  );
  assert.deepEqual(
    notices.map(({ kind }) => kind),
    ["channel.alert"],
  );
  assert.match(notices[0]?.body ?? "", /^131042: /);
  const id = await reply(shop, conversationId, "an answer");
  await t.app.drain();
  await meta.flush();
  assert.equal((await stored(shop, id))?.status, "read");
});

test("a customer with a user id alone is answered at that id, and stays one person when the phone shows", async () => {
  const shop = await openShop();
  const userId = "KW.134912086553";
  const conversationId = await write(shop, "no phone", { userId });
  const id = await reply(shop, conversationId, "hello");
  await t.app.drain();
  const request = meta.requests().find(({ path }) => path.endsWith("/messages"));
  const body = JSON.parse(request?.body ?? "{}") as Record<string, unknown>;
  assert.equal(body["recipient"], userId);
  assert.equal("to" in body, false);
  await meta.flush();
  assert.equal((await stored(shop, id))?.status, "read");
  meta.addUser({ phone: "96550007777", userId, name: "Sara" });
  assert.equal(await write(shop, "with phone", { from: "96550007777" }), conversationId);
});

test("a customer who changes the number keeps the conversation, and is answered at the new one", async () => {
  const shop = await openShop();
  const conversationId = await write(shop, "old number", { from: "96550008801" });
  meta.changeNumber(shop.phoneNumberId, "96550008801", "96550008802");
  await meta.flush();
  assert.equal(await write(shop, "new number", { from: "96550008802" }), conversationId);
  await reply(shop, conversationId, "hello");
  await t.app.drain();
  assert.equal(meta.messages()[0]?.to, "96550008802");
});

test("a reply goes out until a second before the window closes and never after", async () => {
  const shop = await openShop();
  const conversationId = await write(shop);
  t.clock.advance(24 * 3_600_000 - 1000);
  await reply(shop, conversationId, "in time");
  await t.app.drain();
  assert.equal(meta.messages().length, 1);
  t.clock.advance(2000);
  const late = await shop.call("/messages", { conversationId, text: "late" });
  assert.equal((late.body as { status: string }).status, "failed");
  await t.app.drain();
  assert.equal(meta.messages().length, 1);
});

test("a redirect is not followed with the token, and says nothing about the account: the reply goes a moment later", async () => {
  const shop = await openShop();
  const conversationId = await write(shop);
  const location = `${meta.url}/v25.0/${shop.phoneNumberId}/messages`;
  meta.fault({ kind: "redirect", location, accepted: false });
  const id = await reply(shop, conversationId, "hello");
  await t.app.drain();
  assert.equal(meta.messages().length, 0);
  assert.equal((await findChannel(t.app, shop.workspaceId, shop.channelId)).status, "connected");
  t.clock.advance(5_000);
  await t.app.drain();
  assert.equal((await stored(shop, id))?.error_code, null);
  assert.equal(meta.messages().length, 1);
});

test("a message that Meta calls back three times at once is stored once", async () => {
  const shop = await openShop();
  meta.inbound({ phoneNumberId: shop.phoneNumberId, from: CUSTOMER, text: "twice", times: 3 });
  await Promise.all([meta.flush(), meta.flush()]);
  const rows = await t.app.db.query(
    sql`select 1 from message where workspace_id = ${shop.workspaceId}`,
  );
  assert.equal(rows.length, 1);
});
