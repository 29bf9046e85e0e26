import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { App } from "../app.ts";
import { pauseBroadcast } from "./change-broadcast.ts";
import { refusal, Shop, startGround, type Ground } from "./campaign.fixture.ts";
import { sendBatch } from "./send-batch.ts";
import { storeChunk } from "./store-audience.ts";

/** Four processes on one database, each with the budget in the campaign's row alone. */
let ground: Ground;
let apps: App[];
before(async () => {
  ground = await startGround();
  apps = [ground.t.app, await ground.another(), await ground.another(), await ground.another()];
});
after(async () => {
  for (const app of apps.slice(1)) await app[Symbol.asyncDispose]();
  await ground[Symbol.asyncDispose]();
});

const STEP_MS = 800;
const MINUTE = 60_000 / STEP_MS;

async function running(
  count: number,
  rateLimitPerMinute: number,
): Promise<{ shop: Shop; id: string }> {
  const shop = await Shop.open(ground);
  await shop.crowd(count);
  const { id } = await shop.draft({ rateLimitPerMinute });
  await shop.start(id);
  while ((await shop.find(id)).status === "QUEUED") await storeChunk(shop.app, shop.key(id));
  return { shop, id };
}

/** Lets all four take their turns for so long; gives the time of each send in steps. */
async function run(shop: Shop, id: string, ms: number): Promise<number[]> {
  const at: number[] = [];
  for (let step = 0; step < ms / STEP_MS; step++) {
    const before = ground.graph.sent.length;
    await Promise.all(apps.map((app) => sendBatch(app, shop.key(id))));
    for (let n = before; n < ground.graph.sent.length; n++) at.push(step);
    ground.t.clock.advance(STEP_MS);
  }
  return at;
}

/** The most sends in any window of a minute. */
function most(at: readonly number[]): number {
  let first = 0;
  let found = 0;
  for (const [index, step] of at.entries()) {
    while (step - (at[first] ?? 0) >= MINUTE) first++;
    found = Math.max(found, index - first + 1);
  }
  return found;
}

test("four workers together never pass the rate in any minute, and use it", async () => {
  const { shop, id } = await running(1_000, 300);
  const at = await run(shop, id, 66_000);
  assert.ok(most(at) <= 300, `${most(at)} in one minute`);
  assert.ok(most(at) >= 290, `${most(at)} in the best minute`);
  const { sentCount } = await shop.checkCounts(id);
  assert.equal(sentCount, at.length);
});

test("after a 429 episode that all four see it is exactly half, from then on too", async () => {
  const { shop, id } = await running(1_000, 601);
  await run(shop, id, 1_000);
  // The platform has enough: what all four have in the air is refused, twice over.
  ground.graph.answer = () => refusal(400, 130429);
  await Promise.all(apps.map((app) => sendBatch(app, shop.key(id))));
  ground.t.clock.advance(STEP_MS);
  await Promise.all(apps.map((app) => sendBatch(app, shop.key(id))));
  assert.equal((await shop.find(id)).rateLimitPerMinute, 300);
  ground.graph.answer = () => ground.graph.accepted();
  const at = await run(shop, id, 66_000);
  assert.ok(most(at) <= 300, `${most(at)} in one minute`);
  assert.ok(most(at) >= 290, `${most(at)} in the best minute`);
  assert.equal((await shop.checkCounts(id)).rateLimitPerMinute, 300);
});

test("a pause by one process stops the other three at their next turn", async () => {
  const { shop, id } = await running(300, 6_000);
  ground.graph.sent.length = 0;
  await run(shop, id, 500);
  await pauseBroadcast(shop.app, shop.id, id);
  const before = ground.graph.sent.length;
  assert.ok(before > 0);
  await run(shop, id, 1_000);
  assert.equal(ground.graph.sent.length, before);
});
