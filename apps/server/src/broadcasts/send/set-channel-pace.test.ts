import { OPERATOR } from "../../actor.ts";
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { listChannels } from "../../channels/list-channels.ts";
import { sql } from "../../db/sql.ts";
import { AppError } from "../../errors.ts";
import { Shop, startGround, type Ground } from "../record/campaign.fixture.ts";
import { sendBatch } from "./send-batch.ts";
import { channelPace, setChannelPace } from "./set-channel-pace.ts";
import { setPace } from "./set-pace.ts";
import { storeChunk } from "../audience/store-chunk.fixture.ts";

let ground: Ground;
before(async () => {
  ground = await startGround();
  ground.graph.answer = () => ground.graph.accepted();
});
after(() => ground[Symbol.asyncDispose]());

const channelOf = async (shop: Shop) => {
  const [channel] = await listChannels(shop.app, shop.id);
  assert.ok(channel);
  return channel;
};

/** Both campaigns take turns for this many seconds; gives what each sent. */
async function run(shops: readonly Shop[], ids: readonly string[], seconds: number) {
  const counts = () =>
    Promise.all(shops.map(async (shop, n) => (await shop.find(ids[n] ?? "")).sentCount));
  const start = await counts();
  for (let step = 0; step < seconds * 2; step++) {
    for (const [n, shop] of shops.entries())
      while ((await sendBatch(shop.app, shop.key(ids[n] ?? ""))) > 0);
    ground.t.clock.advance(500);
  }
  return (await counts()).map((count, n) => count - (start[n] ?? 0));
}

test("a number's pace limits all campaigns on it, in every workspace and at any pace of their own, until it is removed", async () => {
  const shops = [await Shop.open(ground), await Shop.open(ground)];
  const [shop, partner] = shops;
  assert.ok(shop && partner);
  await shop.crowd(400);
  await partner.crowd(100, "9656");
  const channel = await channelOf(shop);
  await partner.app.db.query(sql`
    update channel set external_id = ${channel.externalId} where workspace_id = ${partner.id}`);
  // Before any campaign: the number has no row yet.
  const nothing = { channelId: channel.id, most: null, ceiling: null, halvedAt: null };
  assert.deepEqual(await channelPace(shop.app, shop.id, channel.id), nothing);
  const paced = await setChannelPace(OPERATOR, shop.app, shop.id, channel.id, 300);
  assert.deepEqual(paced, { ...nothing, most: 300 });
  const ids: string[] = [];
  for (const one of shops) {
    const { id } = await one.draft({ rateLimitPerMinute: 4_800 });
    await one.start(id);
    while ((await one.find(id)).status === "QUEUED") await storeChunk(one.app, one.key(id), 10_000);
    ids.push(id);
  }
  const held = await run(shops, ids, 10);
  const all = held.reduce((sum, one) => sum + one, 0);
  assert.ok(all <= 55 && all >= 45, `${all} in 10 seconds of 300 a minute`);
  // A campaign's own pace does not lift it.
  await setPace(OPERATOR, shop.app, shop.id, ids[0] ?? "", 60_000);
  const [still = 0] = await run([shop], ids, 6);
  assert.ok(still <= 35, `${still} in 6 seconds of 300 a minute`);
  await setChannelPace(OPERATOR, partner.app, partner.id, (await channelOf(partner)).id, null);
  const [free = 0] = await run([shop], ids, 1);
  assert.ok(free >= 200, `${free} in a second without`);
  assert.equal((await channelPace(shop.app, shop.id, channel.id)).most, null);
  for (const [n, one] of shops.entries()) await one.checkCounts(ids[n] ?? "");
  const audit = await shop.app.db.query(sql`
    select actor, facts from audit_entry where workspace_id = ${shop.id} and action = 'channel.paced'`);
  assert.deepEqual(audit, [{ actor: "cli", facts: { from: null, to: 300 } }]);
});

test("an invalid pace, and a channel of another workspace, are refused by name", async () => {
  const shop = await Shop.open(ground);
  const channel = await channelOf(shop);
  const fails = (code: string) => (error: unknown) =>
    error instanceof AppError && error.code === code;
  for (const most of [9, 1_000_001, 10.5])
    await assert.rejects(
      setChannelPace(OPERATOR, shop.app, shop.id, channel.id, most),
      fails("VALIDATION_FAILED"),
    );
  for (const most of [10, 1_000_000])
    assert.equal((await setChannelPace(OPERATOR, shop.app, shop.id, channel.id, most)).most, most);
  for (const id of ["x", shop.app.ids.next()])
    await assert.rejects(setChannelPace(OPERATOR, shop.app, shop.id, id, 300), fails("NOT_FOUND"));
  await assert.rejects(
    setChannelPace(OPERATOR, shop.app, shop.app.ids.next(), channel.id, 300),
    fails("NOT_FOUND"),
  );
});
