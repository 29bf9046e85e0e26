import { OPERATOR } from "../../src/actor.ts";
import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { createBroadcast } from "../../src/broadcasts/record/create-broadcast.ts";
import { findBroadcast } from "../../src/broadcasts/record/find-broadcast.ts";
import { startBroadcast } from "../../src/broadcasts/record/start-broadcast.ts";
import { startTelegramBench, type TelegramBench } from "../telegram-bench.ts";

let bench: TelegramBench;
before(async () => {
  bench = await startTelegramBench();
});
after(() => bench[Symbol.asyncDispose]());
afterEach(() => bench.checkAndClear());

test("a customer starts, writes, edits and presses a button; our reply is accepted and stays sent", async () => {
  const shop = await bench.openShop();
  const sara = bench.stranger();
  assert.equal(bench.webhookOf(shop), `${bench.base}/hooks/telegram/${shop.channelId}`);
  assert.equal((await bench.channelOf(shop)).status, "connected");
  const conversationId = await bench.write(shop, sara, "/start promo42");
  const question = bench.bots.inbound({ botId: shop.botId, from: sara, text: "مرحبا 😀" });
  await bench.bots.flush();
  // The same edit twice, as after a lost answer.
  bench.bots.edit(shop.botId, sara, question, "مرحبا!");
  bench.bots.edit(shop.botId, sara, question, "مرحبا!");
  await bench.bots.flush();
  await bench.reply(shop, conversationId, "<b>أهلا</b> https://example.com *Sara*");
  await bench.t.app.drain();
  const [sent] = bench.bots.messages();
  assert.deepEqual(
    [sent?.chatId, sent?.text],
    [String(sara), "<b>أهلا</b> https://example.com *Sara*"],
  );
  const request = bench.bots.requests().find(({ path }) => path.endsWith("/sendMessage"));
  assert.deepEqual(JSON.parse(request?.body ?? ""), {
    chat_id: sara,
    text: "<b>أهلا</b> https://example.com *Sara*",
    link_preview_options: { is_disabled: true },
  });
  bench.bots.press(shop.botId, sara, sent?.messageId ?? 0, "YES");
  await bench.bots.flush();
  assert.equal(bench.bots.bot(shop.botId).presses.size, 0);

  const stored = await bench.messages(shop);
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
  bench.t.clock.advance(3_600_000);
  await bench.t.app.drain();
  assert.equal((await bench.outbound(shop))[0]?.status, "sent");
  assert.deepEqual(await bench.kinds(shop), [
    "channel.status",
    "contact.created",
    "conversation.created",
    "message.received",
    "message.received",
    "message.updated",
    "message.created",
    "message.received",
  ]);
});

test("the data that a web app sends is stored with the button that opened it", async () => {
  const shop = await bench.openShop();
  const from = bench.stranger();
  const web_app_data = { button_text: "Open Mini App", data: '{"action":"checkout"}' };
  bench.bots.inbound({ botId: shop.botId, from, message: { web_app_data } });
  await bench.bots.flush();
  const [stored] = await bench.messages(shop);
  assert.deepEqual([stored?.type, stored?.text], ["button", "Open Mini App"]);
  const payload = '{"action":"checkout"}';
  assert.deepEqual(stored?.attachments, [{ type: "button", text: "Open Mini App", payload }]);
});

test("an update that comes three times at once is one message; without the secret nothing is taken", async () => {
  const shop = await bench.openShop({ secretToken: "my-secret_1" });
  const sara = bench.stranger();
  bench.bots.inbound({ botId: shop.botId, from: sara, text: "once", times: 3 });
  await bench.bots.flush();
  assert.equal((await bench.messages(shop)).length, 1);
  const [seen] = bench.bots.webhooks();
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
  assert.equal((await bench.messages(shop)).length, 1);
  const taken = await call("my-secret_1");
  // A body could be run as a call of a method (channels.md §5.3).
  assert.deepEqual([taken.status, await taken.text()], [200, ""]);
  assert.equal((await bench.messages(shop)).length, 2);
});

test("a customer who blocks the bot is opted out, by the platform's report or by the refusal; unblocking takes it back", async () => {
  const shop = await bench.openShop();
  const [sara, omar] = [bench.stranger(), bench.stranger("0403")];
  const conversationId = await bench.write(shop, sara);
  bench.bots.block(shop.botId, sara);
  await bench.bots.flush();
  assert.equal((await bench.kinds(shop)).at(-1), "contact.opted_out");
  bench.bots.unblock(shop.botId, sara);
  await bench.bots.flush();
  assert.equal((await bench.kinds(shop)).at(-1), "contact.opted_in");
  await bench.reply(shop, conversationId, "welcome back");
  await bench.reply(shop, await bench.write(shop, omar), "never seen");
  await bench.t.app.drain();
  const [first, second] = await bench.outbound(shop);
  assert.deepEqual([first?.status, second?.status, second?.error_code], ["sent", "failed", "403"]);
  const told = (await bench.events(shop)).filter(({ type }) => type === "contact.opted_out");
  assert.deepEqual(
    told.map(({ data }) => data["source"]),
    ["platform", "platform"],
  );
  assert.equal((await bench.channelOf(shop)).status, "connected");
});

test("unblocking lifts no STOP that was written before; START does", async () => {
  const shop = await bench.openShop();
  const sara = bench.stranger();
  await bench.write(shop, sara, "STOP");
  bench.bots.block(shop.botId, sara);
  bench.bots.unblock(shop.botId, sara);
  await bench.bots.flush();
  const consent = async () =>
    (await bench.kinds(shop)).filter((type) => type.startsWith("contact.opted"));
  assert.deepEqual(await consent(), ["contact.opted_out"]);
  await bench.write(shop, sara, "START");
  assert.deepEqual(await consent(), ["contact.opted_out", "contact.opted_in"]);
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
    const shop = await bench.openShop();
    await bench.reply(shop, await bench.write(shop, bench.stranger(ending)), "hello");
    await bench.t.app.drain();
    for (let minute = 0; minute < 20; minute++) {
      bench.t.clock.advance(60_000);
      await bench.t.app.drain();
    }
    const [message] = await bench.outbound(shop);
    assert.deepEqual([message?.status, message?.error_code], [status, code]);
    const calls = bench.bots.requests().filter(({ path }) => path.endsWith("/sendMessage"));
    assert.equal(calls.length, 1);
    assert.equal((await bench.channelOf(shop)).status, "connected");
  });
}

test("a throttled reply waits as long as the platform asks, an hour at most, and goes once", async () => {
  const shop = await bench.openShop();
  const conversationId = await bench.write(shop, bench.stranger());
  bench.bots.fault({ kind: "code", code: 429, retryAfter: 7 });
  await bench.reply(shop, conversationId, "hello");
  await bench.t.app.drain();
  const until = (await bench.channelOf(shop)).throttledUntil;
  assert.equal(until?.getTime(), bench.t.clock.now().getTime() + 7_000);
  bench.t.clock.advance(6_999);
  await bench.t.app.drain();
  assert.equal(bench.bots.messages().length, 0);
  bench.t.clock.advance(1);
  await bench.t.app.drain();
  assert.equal(bench.bots.messages().length, 1);
  bench.bots.fault({ kind: "code", code: 429, retryAfter: 10_072 });
  await bench.reply(shop, conversationId, "again");
  await bench.t.app.drain();
  bench.t.clock.advance(3_600_000);
  await bench.t.app.drain();
  assert.deepEqual(
    (await bench.outbound(shop)).map(({ status }) => status),
    ["sent", "sent"],
  );
  assert.deepEqual(bench.bots.ledger.repeated(), []);
});

test("a text campaign goes to everyone who wrote, through a throttle, past a block and a stop, and to nobody twice", async () => {
  const shop = await bench.openShop();
  const { workspaceId, channelId } = shop;
  const crowd = [
    ...Array.from({ length: 40 }, () => bench.stranger()),
    bench.stranger("0403"),
    bench.stranger("0402"),
  ];
  for (const from of crowd)
    bench.bots.inbound({ botId: shop.botId, from, name: `P${from}`, text: "hi" });
  const stopped = bench.stranger();
  bench.bots.inbound({ botId: shop.botId, from: stopped, text: "/stop" });
  await bench.bots.flush();
  const { id } = await createBroadcast(OPERATOR, bench.t.app, workspaceId, {
    name: "News",
    kind: "TEXT",
    channelId,
    body: "Hello {{first_name}} *20 %*",
  });
  bench.bots.fault({ kind: "code", code: 429, retryAfter: 3, skip: 4 });
  await startBroadcast(OPERATOR, bench.t.app, workspaceId, id);
  for (let second = 0; second < 90; second++) {
    await bench.t.app.drain();
    bench.t.clock.advance(1_000);
  }
  const done = await findBroadcast(bench.t.app, workspaceId, id);
  assert.deepEqual(
    [done?.status, done?.totalCount, done?.sentCount, done?.failedCount, done?.deliveredCount],
    ["COMPLETED", 42, 40, 2, 0],
  );
  assert.equal(done?.rateLimitPerMinute, 750);
  assert.equal(bench.bots.ledger.total, 40);
  assert.deepEqual(bench.bots.ledger.repeated(), []);
  assert.ok(bench.bots.messages().every(({ text }) => /^Hello P\d+ \*20 %\*$/.test(text ?? "")));
  assert.equal(bench.bots.ledger.entries({ to: String(stopped) }).length, 0);
});
