import assert from "node:assert/strict";
import { createServer } from "node:net";
import { after, before, beforeEach, test } from "node:test";
import { createTelegramEmulator, type TelegramEmulator } from "@parley/emulators";
import type { FastifyInstance } from "fastify";
import { pino } from "pino";
import { createKey } from "../../src/api-keys/create-key.ts";
import { createBroadcast } from "../../src/broadcasts/create-broadcast.ts";
import { findBroadcast } from "../../src/broadcasts/find-broadcast.ts";
import { startBroadcast } from "../../src/broadcasts/start-broadcast.ts";
import type { ConnectTelegram } from "../../src/channels/account-form.ts";
import { connectAccount } from "../../src/channels/connect-account.ts";
import { disconnectChannel } from "../../src/channels/disconnect-channel.ts";
import { findChannel } from "../../src/channels/list-channels.ts";
import { claimPolls } from "../../src/channels/poll-leases.ts";
import { updateCredentials } from "../../src/channels/update-credentials.ts";
import { sql } from "../../src/db/sql.ts";
import { AppError } from "../../src/errors.ts";
import { buildHttp } from "../../src/http/server.ts";
import { pollOnce } from "../../src/messages/poll-channel.ts";
import { startLoops } from "../../src/workers/loop.ts";
import { createPollTelegramWorker } from "../../src/workers/poll-telegram.ts";
import { createWorkspace } from "../../src/workspaces/create-workspace.ts";
import { startTestApp, type TestApp } from "../harness.ts";

/** The whole way over real HTTP: our server at an address of its own and the emulated Bot API. */
let t: TestApp;
let server: FastifyInstance;
let base: string;
let bots: TelegramEmulator;
let logged = "";
const SECRET = "AAEverySecretPartOfTokens";

before(async () => {
  const port = await freePort();
  base = `http://127.0.0.1:${port}`;
  // Without the redaction of the real one: nothing may depend on it.
  const log = pino({ level: "trace" }, { write: (line: string) => void (logged += line) });
  t = await startTestApp({ config: { publicUrl: base }, overrides: { log } });
  server = await buildHttp(t.app);
  await server.listen({ host: "127.0.0.1", port });
  bots = await createTelegramEmulator({ delivery: "manual", clock: t.clock });
});
after(async () => {
  await bots.close();
  await server.close();
  await t[Symbol.asyncDispose]();
});
beforeEach(() => bots.clear());

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, "127.0.0.1", resolve));
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  return typeof address === "object" ? (address?.port ?? 0) : 0;
}

interface Shop {
  readonly workspaceId: string;
  readonly channelId: string;
  readonly botId: string;
  readonly token: string;
  readonly bearer: string;
}

let count = 0;
async function openShop(more: Partial<ConnectTelegram> = {}): Promise<Shop> {
  const botId = String(700_000_000 + ++count);
  const token = `${botId}:${SECRET}${count}`;
  bots.addBot({ token });
  const { id: workspaceId } = await createWorkspace(t.app, { name: "Shop", plan: "business" });
  const channel = await connectAccount(t.app, workspaceId, telegram(token, more));
  const { bearer } = await createKey(t.app, workspaceId);
  return { workspaceId, channelId: channel.id, botId, token, bearer };
}

const telegram = (botToken: string, more: Partial<ConnectTelegram> = {}): ConnectTelegram => ({
  type: "TELEGRAM",
  name: "Shop",
  botToken,
  apiUrl: bots.url,
  ...more,
});

let people = 5_000_000_000;
const stranger = (ending = "7777"): number =>
  Number(`${String((people += 10_000)).slice(0, -4)}${ending}`);

async function write(shop: Shop, from: number, text = "hello"): Promise<string> {
  bots.inbound({ botId: shop.botId, from, name: "Sara", text });
  await bots.flush();
  return conversationOf(shop, from);
}

async function conversationOf(shop: Shop, from: number): Promise<string> {
  const rows = await t.app.db.query<{ id: string }>(sql`select id from conversation
    where workspace_id = ${shop.workspaceId} and external_id = ${String(from)}`);
  assert.equal(rows.length, 1);
  return rows[0]?.id ?? "";
}

async function reply(shop: Shop, conversationId: string, text: string): Promise<string> {
  const answer = await fetch(`${base}/api/v1/messages`, {
    method: "POST",
    headers: { authorization: `Bearer ${shop.bearer}`, "content-type": "application/json" },
    body: JSON.stringify({ conversationId, text }),
  });
  const accepted = (await answer.json()) as { id: string; status: string };
  assert.deepEqual([answer.status, accepted.status], [201, "sent"]);
  return accepted.id;
}

interface Stored {
  status: string;
  direction: string;
  type: string;
  text: string | null;
  error_code: string | null;
  provider_message_id: string | null;
  attachments: Record<string, unknown>[];
}
const messages = (shop: Shop): Promise<Stored[]> =>
  t.app.db
    .query<Stored>(sql`select status, direction, type, text, error_code, provider_message_id, attachments
    from message where workspace_id = ${shop.workspaceId} order by id`);
const outbound = async (shop: Shop): Promise<Stored[]> =>
  (await messages(shop)).filter(({ direction }) => direction === "outbound");

async function events(shop: Shop): Promise<{ type: string; data: Record<string, unknown> }[]> {
  const rows = await t.app.db.query<{ body: string }>(
    sql`select body from event where workspace_id = ${shop.workspaceId} order by sequence`,
  );
  return rows.map(
    ({ body }) => JSON.parse(body) as { type: string; data: Record<string, unknown> },
  );
}
const kinds = async (shop: Shop): Promise<string[]> => (await events(shop)).map(({ type }) => type);

const channelOf = (shop: Shop) => findChannel(t.app, shop.workspaceId, shop.channelId);
const webhookOf = (shop: Shop) => bots.bot(shop.botId).updates.webhook?.url ?? null;

test("a customer starts, writes, edits and presses a button; our reply is accepted and stays sent", async () => {
  const shop = await openShop();
  const sara = stranger();
  assert.equal(webhookOf(shop), `${base}/hooks/telegram/${shop.channelId}`);
  assert.equal((await channelOf(shop)).status, "connected");
  const conversationId = await write(shop, sara, "/start promo42");
  const question = bots.inbound({ botId: shop.botId, from: sara, text: "مرحبا 😀" });
  await bots.flush();
  // The same edit twice, as after a lost answer.
  bots.edit(shop.botId, sara, question, "مرحبا!");
  bots.edit(shop.botId, sara, question, "مرحبا!");
  await bots.flush();
  await reply(shop, conversationId, "<b>أهلا</b> https://example.com *Sara*");
  await t.app.drain();
  const [sent] = bots.messages();
  assert.deepEqual(
    [sent?.chatId, sent?.text],
    [String(sara), "<b>أهلا</b> https://example.com *Sara*"],
  );
  const request = bots.requests().find(({ path }) => path.endsWith("/sendMessage"));
  assert.deepEqual(JSON.parse(request?.body ?? ""), {
    chat_id: sara,
    text: "<b>أهلا</b> https://example.com *Sara*",
    link_preview_options: { is_disabled: true },
  });
  bots.press(shop.botId, sara, sent?.messageId ?? 0, "YES");
  await bots.flush();
  assert.equal(bots.bot(shop.botId).presses.size, 0);

  const stored = await messages(shop);
  assert.deepEqual(
    stored.map(({ direction, type, text, status }) => [direction, type, text, status]),
    [
      ["inbound", "text", "/start promo42", "received"],
      ["inbound", "text", "مرحبا!", "received"],
      ["outbound", "text", "<b>أهلا</b> https://example.com *Sara*", "sent"],
      ["inbound", "button", "YES", "received"],
    ],
  );
  assert.deepEqual(stored[0]?.attachments, [{ type: "start", payload: "promo42" }]);
  assert.deepEqual(
    stored[1]?.attachments.map(({ type }) => type),
    ["edited"],
  );
  assert.equal(stored[2]?.provider_message_id, `${sara}:${sent?.messageId}`);
  t.clock.advance(3_600_000);
  await t.app.drain();
  assert.equal((await outbound(shop))[0]?.status, "sent");
  assert.deepEqual(await kinds(shop), [
    "channel.status",
    "contact.created",
    "conversation.created",
    "message.received",
    "message.received",
    "message.received",
  ]);
});

test("an update that comes three times at once is one message; without the secret nothing is taken", async () => {
  const shop = await openShop({ secretToken: "my-secret_1" });
  const sara = stranger();
  bots.inbound({ botId: shop.botId, from: sara, text: "once", times: 3 });
  await bots.flush();
  assert.equal((await messages(shop)).length, 1);
  const [seen] = bots.webhooks();
  const call = (secret: string | null) =>
    fetch(seen?.url ?? "", {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...(secret !== null && { "x-telegram-bot-api-secret-token": secret }),
      },
      body: (seen?.body ?? "").replaceAll(/"message_id":\d+/g, '"message_id":999999'),
    });
  for (const secret of [null, "", "my-secret_2", "my-secret", "MY-SECRET_1", "my-secret_1 x"])
    assert.equal((await call(secret)).status, 401, String(secret));
  assert.equal((await messages(shop)).length, 1);
  const taken = await call("my-secret_1");
  // A body would be run as a call of a method.
  assert.deepEqual([taken.status, await taken.text()], [200, "ok"]);
  assert.equal((await messages(shop)).length, 2);
});

test("who blocks the bot is opted out, by the platform's word or by the refusal; who unblocks is back", async () => {
  const shop = await openShop();
  const [sara, omar] = [stranger(), stranger("0403")];
  const conversationId = await write(shop, sara);
  bots.block(shop.botId, sara);
  await bots.flush();
  assert.equal((await kinds(shop)).at(-1), "contact.opted_out");
  bots.unblock(shop.botId, sara);
  await bots.flush();
  assert.equal((await kinds(shop)).at(-1), "contact.opted_in");
  await reply(shop, conversationId, "welcome back");
  await reply(shop, await write(shop, omar), "never seen");
  await t.app.drain();
  const [first, second] = await outbound(shop);
  assert.deepEqual([first?.status, second?.status, second?.error_code], ["sent", "failed", "403"]);
  const told = (await events(shop)).filter(({ type }) => type === "contact.opted_out");
  assert.deepEqual(
    told.map(({ data }) => data["source"]),
    ["platform", "platform"],
  );
  assert.equal((await channelOf(shop)).status, "connected");
});

/** By the chat's last four digits: what the platform does with a reply, and what must become of it. */
const ENDINGS: readonly (readonly [ending: string, status: string, code: string | null])[] = [
  ["0400", "failed", "400"],
  ["0402", "failed", "403"],
  ["0404", "failed", "403"],
  ["0413", "failed", "413"],
  // Lost answers and 5xx say nothing: never sent again, failed after 15 minutes.
  ["0500", "failed", "OUTCOME_UNKNOWN"],
  ["0501", "failed", "OUTCOME_UNKNOWN"],
  ["0911", "failed", "OUTCOME_UNKNOWN"],
  ["0912", "failed", "OUTCOME_UNKNOWN"],
];
for (const [ending, status, code] of ENDINGS) {
  test(`a reply to a chat that ends in ${ending} ends ${status} with ${code} and leaves once`, async () => {
    const shop = await openShop();
    await reply(shop, await write(shop, stranger(ending)), "hello");
    await t.app.drain();
    for (let minute = 0; minute < 20; minute++) {
      t.clock.advance(60_000);
      await t.app.drain();
    }
    const [message] = await outbound(shop);
    assert.deepEqual([message?.status, message?.error_code], [status, code]);
    const calls = bots.requests().filter(({ path }) => path.endsWith("/sendMessage"));
    assert.equal(calls.length, 1);
    assert.equal((await channelOf(shop)).status, "connected");
  });
}

test("a throttled reply waits as long as the platform asks, an hour at most, and goes once", async () => {
  const shop = await openShop();
  const conversationId = await write(shop, stranger());
  bots.fault({ kind: "code", code: 429, retryAfter: 7 });
  await reply(shop, conversationId, "hello");
  await t.app.drain();
  const until = (await channelOf(shop)).throttledUntil;
  assert.equal(until?.getTime(), t.clock.now().getTime() + 7_000);
  t.clock.advance(6_999);
  await t.app.drain();
  assert.equal(bots.messages().length, 0);
  t.clock.advance(1);
  await t.app.drain();
  assert.equal(bots.messages().length, 1);
  bots.fault({ kind: "code", code: 429, retryAfter: 10_072 });
  await reply(shop, conversationId, "again");
  await t.app.drain();
  t.clock.advance(3_600_000);
  await t.app.drain();
  assert.deepEqual(
    (await outbound(shop)).map(({ status }) => status),
    ["sent", "sent"],
  );
  assert.deepEqual(bots.ledger.repeated(), []);
});

test("a revoked token stops the channel; a new one of the same bot brings it back with its webhook", async () => {
  const shop = await openShop();
  const conversationId = await write(shop, stranger());
  const renewed = `${shop.botId}:${SECRET}renewed`;
  bots.revokeToken(shop.botId, renewed);
  await reply(shop, conversationId, "hello");
  await t.app.drain();
  assert.equal((await outbound(shop))[0]?.error_code, "401");
  const channel = await channelOf(shop);
  assert.deepEqual([channel.status, channel.statusReason], ["error", "401: Unauthorized"]);
  const { workspaceId, channelId } = shop;
  await assert.rejects(
    updateCredentials(t.app, workspaceId, channelId, { botToken: "1:AA" }),
    refusedWith("VALIDATION_FAILED"),
  );
  await updateCredentials(t.app, workspaceId, channelId, {
    botToken: renewed,
    secretToken: "a-new-secret",
  });
  await t.app.drain();
  assert.equal((await channelOf(shop)).status, "connected");
  await reply(shop, await write(shop, stranger()), "hello again");
  await t.app.drain();
  assert.equal((await outbound(shop))[1]?.status, "sent");
});

const refusedWith = (code: string) => (error: unknown) =>
  error instanceof AppError && error.code === code && !JSON.stringify(error).includes(SECRET);

test("a token that the platform refuses connects nothing; a webhook that cannot be set is told and tried again", async () => {
  const { id: workspaceId } = await createWorkspace(t.app, { name: "Shop", plan: "business" });
  for (const token of [`799999999:${SECRET}`, "no token", ""])
    await assert.rejects(
      connectAccount(t.app, workspaceId, telegram(token)),
      refusedWith("VALIDATION_FAILED"),
    );
  assert.deepEqual(
    await t.app.db.query(sql`select 1 from channel where workspace_id = ${workspaceId}`),
    [],
  );
  bots.fault({
    kind: "code",
    code: 400,
    details: "Bad Request: bad webhook: Failed to resolve host",
    on: "account",
    skip: 3,
  });
  const shop = await openShop();
  const channel = await channelOf(shop);
  assert.equal(channel.status, "error");
  assert.equal(channel.statusReason, "400: Bad Request: bad webhook: Failed to resolve host");
  await t.app.drain();
  assert.equal((await channelOf(shop)).status, "error");
  t.clock.advance(600_000);
  await t.app.drain();
  assert.equal((await channelOf(shop)).status, "connected");
  assert.equal(webhookOf(shop), `${base}/hooks/telegram/${shop.channelId}`);
  assert.deepEqual(
    (await events(shop))
      .filter(({ type }) => type === "channel.status")
      .map(({ data }) => `${String(data["previousStatus"])}>${String(data["status"])}`),
    ["null>connected", "connected>error", "error>connected"],
  );
});

test("a webhook that another program set is not taken back by itself, but by connecting again; disconnecting deletes ours", async () => {
  const shop = await openShop();
  const theirs = { url: "https://elsewhere.example/hook", secretToken: null, maxConnections: 40 };
  bots.bot(shop.botId).updates.setWebhook(theirs, null, false);
  t.clock.advance(3_600_000);
  await t.app.drain();
  assert.match((await channelOf(shop)).statusReason ?? "", /^WEBHOOK_TAKEN/);
  assert.equal(webhookOf(shop), theirs.url);
  await connectAccount(t.app, shop.workspaceId, telegram(shop.token));
  const channel = await channelOf(shop);
  assert.equal(channel.status, "connected");
  assert.equal(webhookOf(shop), `${base}/hooks/telegram/${shop.channelId}`);
  await disconnectChannel(t.app, shop.workspaceId, shop.channelId);
  assert.equal(webhookOf(shop), null);
  bots.bot(shop.botId).updates.setWebhook(theirs, null, false);
  await connectAccount(t.app, shop.workspaceId, telegram(shop.token));
  bots.bot(shop.botId).updates.setWebhook(theirs, null, false);
  await disconnectChannel(t.app, shop.workspaceId, shop.channelId);
  assert.equal(webhookOf(shop), theirs.url);
});

test("a bot that is polled gets every message once, whoever polls and wherever it stops", async () => {
  const shop = await openShop({ polling: true });
  assert.equal(webhookOf(shop), null);
  const sara = stranger();
  bots.inbound({ botId: shop.botId, from: sara, name: "Sara", text: "one" });
  const { signal } = new AbortController();
  const options = { waitMs: 0, signal };
  const [lease] = await claimPolls(t.app, 10);
  assert.ok(lease);
  assert.deepEqual(await claimPolls(t.app, 10), []);
  // Its events are in the database, but another process has the channel by now: the position stays.
  assert.equal(await pollOnce(t.app, { ...lease, fence: 99 }, options), null);
  assert.equal((await messages(shop)).length, 1);
  const second = await pollOnce(t.app, lease, options);
  assert.equal(second?.position, lease.position + 10_001);
  bots.inbound({ botId: shop.botId, from: sara, text: "two" });
  bots.block(shop.botId, sara);
  bots.unblock(shop.botId, sara);
  bots.block(shop.botId, sara);
  const third = second && (await pollOnce(t.app, second, options));
  assert.ok(third);
  assert.deepEqual(
    (await messages(shop)).map(({ text }) => text),
    ["one", "two"],
  );
  assert.deepEqual(
    (await kinds(shop)).filter((kind) => kind.startsWith("contact.opted")),
    ["contact.opted_out", "contact.opted_in", "contact.opted_out"],
  );
  // The next question tells the platform that all is taken.
  await pollOnce(t.app, third, options);
  assert.equal(bots.bot(shop.botId).updates.count, 0);
  // After a week of silence the platform counts from anywhere, below our position too.
  t.clock.advance(7 * 24 * 3_600_000);
  const stale = { ...third, position: 1_000_000 };
  bots.inbound({ botId: shop.botId, from: sara, text: "three" });
  await pollOnce(t.app, stale, options);
  assert.equal((await messages(shop)).length, 3);
  await disconnectChannel(t.app, shop.workspaceId, shop.channelId);
});

test("the polling loop takes a message at once, answers buttons, and stops with its question in the air", async () => {
  const shop = await openShop({ polling: true });
  const worker = createPollTelegramWorker(t.app);
  const loops = startLoops(t.app, [worker]);
  const sara = stranger();
  await until(() => bots.requests().some(({ path }) => path.includes("getWebhookInfo")));
  bots.inbound({ botId: shop.botId, from: sara, text: "hello" });
  await until(async () => (await messages(shop)).length === 1);
  await reply(shop, await conversationOf(shop, sara), "hi");
  await t.app.drain();
  bots.press(shop.botId, sara, bots.messages()[0]?.messageId ?? 0, "YES");
  await until(async () => (await messages(shop)).length === 3);
  await until(() => bots.bot(shop.botId).presses.size === 0);
  const begun = performance.now();
  await loops.stop();
  await worker.stop?.();
  assert.ok(performance.now() - begun < 1_000);
  // The lease is free at once for another process.
  assert.equal((await claimPolls(t.app, 10)).length, 1);
  await disconnectChannel(t.app, shop.workspaceId, shop.channelId);
});

test("409 while a webhook is set: polling pauses and says so; our own webhook is taken away", async () => {
  const shop = await openShop();
  const { workspaceId, channelId } = shop;
  await updateCredentials(t.app, workspaceId, channelId, { polling: "true" });
  const [lease] = await claimPolls(t.app, 10);
  assert.ok(lease);
  const options = { waitMs: 0, signal: new AbortController().signal };
  assert.equal(await pollOnce(t.app, lease, options), null);
  const rows = await t.app.db.query<{ error: string }>(
    sql`select error from channel_poll where workspace_id = ${workspaceId}`,
  );
  assert.match(rows[0]?.error ?? "", /^409: Conflict: can't use getUpdates/);
  assert.deepEqual(await claimPolls(t.app, 10), []);
  await t.app.drain();
  assert.equal(webhookOf(shop), null);
  t.clock.advance(5_000);
  const [again] = await claimPolls(t.app, 10);
  assert.ok(again && (await pollOnce(t.app, again, options)) !== null);
  // A bot whose token is refused is not asked any more.
  bots.revokeToken(shop.botId, `${shop.botId}:${SECRET}other`);
  assert.equal(await pollOnce(t.app, again, options), null);
  assert.equal((await channelOf(shop)).status, "error");
  t.clock.advance(3_600_000);
  assert.deepEqual(await claimPolls(t.app, 10), []);
});

test("a text campaign goes to everyone who wrote, through a throttle, past a block and a stop, and to nobody twice", async () => {
  const shop = await openShop();
  const { workspaceId, channelId } = shop;
  const crowd = [
    ...Array.from({ length: 40 }, () => stranger()),
    stranger("0403"),
    stranger("0402"),
  ];
  for (const from of crowd) bots.inbound({ botId: shop.botId, from, name: `P${from}`, text: "hi" });
  const stopped = stranger();
  bots.inbound({ botId: shop.botId, from: stopped, text: "/stop" });
  await bots.flush();
  const { id } = await createBroadcast(t.app, workspaceId, {
    name: "News",
    kind: "TEXT",
    channelId,
    body: "Hello {{first_name}} *20 %*",
  });
  bots.fault({ kind: "code", code: 429, retryAfter: 3, skip: 4 });
  await startBroadcast(t.app, workspaceId, id);
  for (let second = 0; second < 90; second++) {
    await t.app.drain();
    t.clock.advance(1_000);
  }
  const done = await findBroadcast(t.app, workspaceId, id);
  assert.deepEqual(
    [done?.status, done?.totalCount, done?.sentCount, done?.failedCount, done?.deliveredCount],
    ["COMPLETED", 42, 40, 2, 0],
  );
  assert.equal(done?.rateLimitPerMinute, 750);
  assert.equal(bots.ledger.total, 40);
  assert.deepEqual(bots.ledger.repeated(), []);
  assert.ok(bots.messages().every(({ text }) => /^Hello P\d+ \*20 %\*$/.test(text ?? "")));
  assert.equal(bots.ledger.entries({ to: String(stopped) }).length, 0);
});

test("the token is in no log line, no event, no row that can be read", async () => {
  const shop = await openShop();
  const conversationId = await write(shop, stranger());
  for (const kind of ["drop", "html", "redirect", "truncated", "empty"] as const) {
    bots.fault({ kind, location: `${bots.url}/bot${shop.token}/sendMessage` });
    bots.fault({ kind: "code", code: 400, details: `Bad Request: /bot${shop.token}/ is odd` });
    await reply(shop, conversationId, kind);
    await t.app.drain();
    t.clock.advance(20 * 60_000);
    await t.app.drain();
  }
  bots.fault({ kind: "drop", on: "account" });
  await disconnectChannel(t.app, shop.workspaceId, shop.channelId);
  const rows = await t.app.db.query<{ row: string }>(sql`
    select channel::text as row from channel union all select event::text from event
    union all select message::text from message union all select channel_poll::text from channel_poll
    union all select audit_entry::text from audit_entry`);
  assert.ok(rows.length > 100);
  assert.ok(rows.every(({ row }) => !row.includes(SECRET)));
  assert.ok(logged.includes("a channel was not set up"));
  assert.equal(logged.includes(SECRET), false);
});

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (let attempt = 0; attempt < 400; attempt++) {
    if (await condition()) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  assert.fail("waited ten seconds in vain");
}
