import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { sql } from "../../db/sql.ts";
import { storeChunk } from "../audience/store-chunk.fixture.ts";
import { Shop, startGround, type Ground } from "../record/campaign.fixture.ts";
import { reserveBatchPlaces } from "./batch-places.ts";
import { sendBatch } from "./send-batch.ts";

let ground: Ground;
before(async () => {
  ground = await startGround();
});
after(() => ground[Symbol.asyncDispose]());

/** Places that a batch with more than enough messages gets of a shop's number now. */
const reserve = (shop: Shop): Promise<readonly number[]> =>
  reserveBatchPlaces(
    shop.app,
    { workspaceId: shop.id, channelId: shop.desk.account.channelId },
    1_000,
  );

const STEP_MS = 200;
const SECONDS = 20;

/** What a shop's batches get in so long, with `beside` at each step. */
async function reserveFor(shop: Shop, beside: () => Promise<unknown>): Promise<number[]> {
  const places: number[] = [];
  for (let at = 0; at < SECONDS * 1_000; at += STEP_MS) {
    places.push(...(await reserve(shop)));
    await beside();
    ground.t.clock.advance(STEP_MS);
  }
  return places;
}

test("alone, batches get 76 places a second, none of them more than half a second ahead", async () => {
  const shop = await Shop.open(ground);
  const ahead: number[] = [];
  const places = await reserveFor(shop, async () => {
    const [next = 0] = (await reserve(shop)).slice(-1);
    ahead.push(next - ground.t.clock.now().getTime());
  });
  assert.ok(
    places.length >= 75 * SECONDS && places.length <= 76 * SECONDS + 40,
    `${places.length}`,
  );
  const busiest = Math.max(
    ...places.map((from) => places.filter((one) => one >= from && one < from + 1_000).length),
  );
  assert.ok(busiest <= 77, `${busiest} within a second`);
  assert.ok(Math.max(...ahead) <= 510, `${Math.max(...ahead)} ms ahead`);
});

test("a campaign on the number and batches get the same", async () => {
  const shop = await Shop.open(ground);
  await shop.crowd(900);
  const { id } = await shop.draft({ rateLimitPerMinute: 4_800 });
  await shop.start(id);
  while ((await shop.find(id)).status === "QUEUED")
    await storeChunk(shop.app, shop.key(id), 10_000);
  const places = await reserveFor(shop, () => sendBatch(shop.app, shop.key(id)));
  const { sentCount } = await shop.find(id);
  assert.ok(
    Math.abs(places.length - sentCount) <= 0.1 * sentCount,
    `${places.length} and ${sentCount}`,
  );
  assert.ok(
    places.length + sentCount <= 76 * SECONDS + 40,
    `${places.length + sentCount} together`,
  );
});

test("one number in two workspaces is one number", async () => {
  const [one, other] = [await Shop.open(ground), await Shop.open(ground)];
  await other.app.db.query(sql`
    update channel set external_id = (select external_id from channel where workspace_id = ${one.id} limit 1)
    where workspace_id = ${other.id}`);
  const others: number[] = [];
  const places = await reserveFor(one, async () => others.push(...(await reserve(other))));
  assert.ok(Math.abs(places.length - others.length) <= 0.1 * places.length);
  assert.ok(places.length + others.length <= 76 * SECONDS + 40);
});

test("while the platform asked the number to wait there is no place", async () => {
  const shop = await Shop.open(ground);
  assert.ok((await reserve(shop)).length > 0);
  const until = new Date(ground.t.clock.now().getTime() + 60_000);
  await shop.app.db.query(sql`
    update number_pace set throttled_until = ${until} where account like 'WHATSAPP %'`);
  ground.t.clock.advance(30_000);
  assert.deepEqual(await reserve(shop), []);
  ground.t.clock.advance(30_001);
  assert.ok((await reserve(shop)).length > 0);
});
