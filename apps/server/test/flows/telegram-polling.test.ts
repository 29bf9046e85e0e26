import { OPERATOR } from "../../src/actor.ts";
import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { disconnectChannel } from "../../src/channels/disconnect-channel.ts";
import { claimPolls } from "../../src/channels/poll-leases.ts";
import { updateCredentials } from "../../src/channels/update-credentials.ts";
import { sql } from "../../src/db/sql.ts";
import { pollOnce } from "../../src/messages/receive/poll-channel.ts";
import { startLoops } from "../../src/workers/loop.ts";
import { createPollTelegramWorker } from "../../src/workers/poll-telegram.ts";
import { SECRET, startTelegramBench, type TelegramBench } from "../telegram-bench.ts";

let bench: TelegramBench;
before(async () => {
  bench = await startTelegramBench();
});
after(() => bench[Symbol.asyncDispose]());
afterEach(() => bench.checkAndClear());

test("a polled bot gets every message once, whichever process polls and wherever it stops", async () => {
  const shop = await bench.openShop({ polling: true });
  assert.equal(bench.webhookOf(shop), null);
  const sara = bench.stranger();
  bench.bots.inbound({ botId: shop.botId, from: sara, name: "Sara", text: "one" });
  const { signal } = new AbortController();
  const options = { waitMs: 0, signal };
  const [lease] = await claimPolls(bench.t.app, 10);
  assert.ok(lease);
  assert.deepEqual(await claimPolls(bench.t.app, 10), []);
  // Its events are in the database, but another process has the channel by now: the position stays.
  assert.equal(await pollOnce(bench.t.app, { ...lease, fence: 99 }, options), null);
  assert.equal((await bench.messages(shop)).length, 1);
  const second = await pollOnce(bench.t.app, lease, options);
  assert.equal(second?.position, lease.position + 10_001);
  bench.bots.inbound({ botId: shop.botId, from: sara, text: "two" });
  bench.bots.block(shop.botId, sara);
  bench.bots.unblock(shop.botId, sara);
  bench.bots.block(shop.botId, sara);
  const third = second && (await pollOnce(bench.t.app, second, options));
  assert.ok(third);
  assert.deepEqual(
    (await bench.messages(shop)).map(({ text }) => text),
    ["one", "two"],
  );
  assert.deepEqual(
    (await bench.kinds(shop)).filter((kind) => kind.startsWith("contact.opted")),
    ["contact.opted_out", "contact.opted_in", "contact.opted_out"],
  );
  // The next question tells the platform that all is taken.
  await pollOnce(bench.t.app, third, options);
  assert.equal(bench.bots.bot(shop.botId).updates.count, 0);
  // After a week of silence the platform counts from anywhere, below our position too.
  bench.t.clock.advance(7 * 24 * 3_600_000);
  const stale = { ...third, position: 1_000_000 };
  bench.bots.inbound({ botId: shop.botId, from: sara, text: "three" });
  await pollOnce(bench.t.app, stale, options);
  assert.equal((await bench.messages(shop)).length, 3);
  await disconnectChannel(OPERATOR, bench.t.app, shop.workspaceId, shop.channelId);
});

test("the polling loop takes a message at once, answers buttons, and stops with its question in the air", async () => {
  const shop = await bench.openShop({ polling: true });
  const worker = createPollTelegramWorker(bench.t.app);
  const loops = startLoops(bench.t.app, [worker]);
  const sara = bench.stranger();
  await until(() => bench.bots.requests().some(({ path }) => path.includes("getWebhookInfo")));
  bench.bots.inbound({ botId: shop.botId, from: sara, text: "hello" });
  await until(async () => (await bench.messages(shop)).length === 1);
  await bench.reply(shop, await bench.conversationOf(shop, sara), "hi");
  await bench.t.app.drain();
  bench.bots.press(shop.botId, sara, bench.bots.messages()[0]?.messageId ?? 0, "YES");
  await until(async () => (await bench.messages(shop)).length === 3);
  await until(() => bench.bots.bot(shop.botId).presses.size === 0);
  const begun = performance.now();
  await loops.stop();
  await worker.stop?.();
  // The question would have been open for 25 seconds.
  assert.ok(performance.now() - begun < 24_000);
  // The lease is free at once for another process.
  assert.equal((await claimPolls(bench.t.app, 10)).length, 1);
  await disconnectChannel(OPERATOR, bench.t.app, shop.workspaceId, shop.channelId);
});

test("409 while a webhook is set: polling pauses and says so; our own webhook is taken away", async () => {
  const shop = await bench.openShop();
  const { workspaceId, channelId } = shop;
  await updateCredentials(OPERATOR, bench.t.app, workspaceId, channelId, { polling: "true" });
  const [lease] = await claimPolls(bench.t.app, 10);
  assert.ok(lease);
  const options = { waitMs: 0, signal: new AbortController().signal };
  assert.equal(await pollOnce(bench.t.app, lease, options), null);
  const rows = await bench.t.app.db.query<{ error: string }>(
    sql`select error from channel_poll where workspace_id = ${workspaceId}`,
  );
  assert.match(rows[0]?.error ?? "", /^409: Conflict: can't use getUpdates/);
  assert.deepEqual(await claimPolls(bench.t.app, 10), []);
  await bench.t.app.drain();
  assert.equal(bench.webhookOf(shop), null);
  bench.t.clock.advance(5_000);
  const [again] = await claimPolls(bench.t.app, 10);
  assert.ok(again && (await pollOnce(bench.t.app, again, options)) !== null);
  // A bot whose token is refused is not asked any more.
  bench.bots.revokeToken(shop.botId, `${shop.botId}:${SECRET}other`);
  assert.equal(await pollOnce(bench.t.app, again, options), null);
  assert.equal((await bench.channelOf(shop)).status, "error");
  bench.t.clock.advance(3_600_000);
  assert.deepEqual(await claimPolls(bench.t.app, 10), []);
});

test("a bot that another program polls too shows why it is not read, until it is", async () => {
  const shop = await bench.openShop({ polling: true });
  const options = { waitMs: 0, signal: new AbortController().signal };
  const description =
    "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running";
  const poll = async () => {
    const [lease] = await claimPolls(bench.t.app, 10);
    assert.ok(lease);
    const held = await pollOnce(bench.t.app, lease, options);
    await bench.t.app.drain();
    return held;
  };
  const shown = async () => (await bench.channelOf(shop)).syncError;
  for (const wanted of [null, `409: ${description}`]) {
    bench.bots.fault({ kind: "code", on: "updates", code: 409 });
    assert.equal(await poll(), null);
    assert.equal(await shown(), wanted);
    bench.t.clock.advance(10_000);
  }
  assert.equal((await bench.channelOf(shop)).status, "connected");
  assert.notEqual(await poll(), null);
  assert.equal(await shown(), null);
  bench.t.clock.advance(100_000);
  for (let again = 0; again < 2; again++) {
    bench.bots.fault({ kind: "code", on: "updates", code: 409 });
    assert.equal(await poll(), null);
    bench.t.clock.advance(10_000);
  }
  assert.equal(await shown(), `409: ${description}`);
  // Called by the platform from here on: what polls came to is over.
  await updateCredentials(OPERATOR, bench.t.app, shop.workspaceId, shop.channelId, {
    polling: "false",
  });
  await bench.t.app.drain();
  assert.notEqual(bench.webhookOf(shop), null);
  assert.equal(await shown(), null);
  await disconnectChannel(OPERATOR, bench.t.app, shop.workspaceId, shop.channelId);
});

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (let attempt = 0; attempt < 7_200; attempt++) {
    if (await condition()) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  assert.fail("waited three minutes in vain");
}
