import { OPERATOR } from "../../src/actor.ts";
import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { createBroadcast } from "../../src/broadcasts/record/create-broadcast.ts";
import { findBroadcast } from "../../src/broadcasts/record/find-broadcast.ts";
import { startBroadcast } from "../../src/broadcasts/record/start-broadcast.ts";
import { updateCredentials } from "../../src/channels/update-credentials.ts";
import { SECRET, startTelegramBench, type Shop, type TelegramBench } from "../telegram-bench.ts";

let bench: TelegramBench;
before(async () => {
  bench = await startTelegramBench();
});
after(() => bench[Symbol.asyncDispose]());
afterEach(() => bench.checkAndClear());

async function campaignTo(shop: Shop, crowd: readonly number[]): Promise<string> {
  for (const from of crowd)
    bench.bots.inbound({ botId: shop.botId, from, name: `P${from}`, text: "hi" });
  await bench.bots.flush();
  const { workspaceId, channelId } = shop;
  const input = { name: "News", kind: "TEXT", channelId, body: "Hello {{first_name}}" } as const;
  const { id } = await createBroadcast(OPERATOR, bench.t.app, workspaceId, input);
  return id;
}

async function run(shop: Shop, id: string, seconds: number) {
  for (let second = 0; second < seconds; second++) {
    await bench.t.app.drain();
    bench.t.clock.advance(1_000);
  }
  return findBroadcast(bench.t.app, shop.workspaceId, id);
}

test("a token that is revoked in the middle pauses the campaign and burns nobody; with a new one it goes on to the rest", async () => {
  const shop = await bench.openShop();
  const crowd = Array.from({ length: 12 }, () => bench.stranger());
  const id = await campaignTo(shop, crowd);
  const renewed = `${shop.botId}:${SECRET}renewed`;
  let sent = 0;
  bench.bots.onAccepted = () => {
    if (++sent === 5) bench.bots.revokeToken(shop.botId, renewed);
  };
  await startBroadcast(OPERATOR, bench.t.app, shop.workspaceId, id);
  const paused = await run(shop, id, 20);
  bench.bots.onAccepted = undefined;
  assert.equal(paused?.status, "PAUSED");
  assert.equal(bench.bots.ledger.total, 5);
  assert.equal((await bench.channelOf(shop)).status, "error");
  await updateCredentials(OPERATOR, bench.t.app, shop.workspaceId, shop.channelId, {
    botToken: renewed,
  });
  await startBroadcast(OPERATOR, bench.t.app, shop.workspaceId, id);
  const done = await run(shop, id, 40);
  assert.equal(done?.status, "COMPLETED");
  assert.deepEqual(bench.bots.ledger.repeated(), []);
  // Those that were in the air when the token ended were refused by the platform; nobody else failed.
  assert.equal((done?.sentCount ?? 0) + (done?.failedCount ?? 0), 12);
  assert.equal(done?.sentCount, bench.bots.ledger.total);
  assert.ok((done?.failedCount ?? 12) <= 4, String(done?.failedCount));
});

test("a customer who blocks the bot while the campaign runs is not written to any more", async () => {
  const shop = await bench.openShop();
  const crowd = Array.from({ length: 40 }, () => bench.stranger());
  const id = await campaignTo(shop, crowd);
  await startBroadcast(OPERATOR, bench.t.app, shop.workspaceId, id);
  await bench.t.app.drain();
  const reached = new Set(bench.bots.messages().map(({ chatId }) => chatId));
  const waiting = crowd.filter((one) => !reached.has(String(one)));
  assert.ok(reached.size > 0 && waiting.length > 0, `${reached.size} of 40 at once`);
  const blocked = waiting.at(-1) ?? 0;
  bench.bots.block(shop.botId, blocked);
  await bench.bots.flush();
  const before = bench.bots.requests().length;
  const done = await run(shop, id, 90);
  assert.equal(done?.status, "COMPLETED");
  assert.equal(bench.bots.ledger.total, 39);
  const asked = bench.bots.requests().slice(before);
  assert.ok(asked.every(({ parameters }) => parameters["chat_id"] !== blocked));
});
