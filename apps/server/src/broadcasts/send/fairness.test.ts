import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { listChannels } from "../../channels/list-channels.ts";
import type { HttpResponse } from "../../lib/http.ts";
import { sql } from "../../db/sql.ts";
import { createDispatchWorker } from "../../workers/dispatch-messages.ts";
import { createRunBroadcastsWorker } from "../../workers/run-broadcasts.ts";
import { createStoreAudiencesWorker } from "../../workers/store-audiences.ts";
import { refusal, Shop, startGround, type Ground } from "../record/campaign.fixture.ts";
import { sendBatch } from "./send-batch.ts";
import { sendRound } from "./send-round.ts";
import { storeChunk } from "../audience/store-chunk.fixture.ts";
import { TurnQueue } from "./send-round.ts";

let ground: Ground;
before(async () => {
  ground = await startGround();
});
after(() => ground[Symbol.asyncDispose]());
beforeEach(() => {
  ground.graph.sent.length = 0;
  ground.graph.answer = () => ground.graph.accepted();
});

/** A workspace with this many contacts. Opened before any campaign runs, because it drains the workers. */
async function shopOf(count: number): Promise<Shop> {
  const shop = await Shop.open(ground);
  await shop.crowd(count);
  return shop;
}

async function running(shop: Shop): Promise<{ shop: Shop; id: string }> {
  const { id } = await shop.draft();
  await shop.start(id);
  while ((await shop.find(id)).status === "QUEUED") await storeChunk(shop.app, shop.key(id));
  return { shop, id };
}

test("turns go round the workspaces, and within one workspace round its campaigns", () => {
  const queue = new TurnQueue();
  for (const name of ["a1", "a2", "a3", "b1", "c1", "c2"])
    queue.push({ workspaceId: name.slice(0, 1), id: name });
  const order: string[] = [];
  for (let key = queue.shift(); key; key = queue.shift()) {
    order.push(key.id);
    if (key.id === "b1" && order.length < 4) queue.push(key);
  }
  assert.equal(order.join(" "), "a1 b1 c1 a2 b1 c2 a3");
});

test("ten campaigns of fifty are finished before one of four thousand has had a few more turns", async () => {
  const large = await shopOf(4_000);
  const shops: Shop[] = [];
  for (let n = 0; n < 6; n++) shops.push(await shopOf(50));
  const [shared = large, ...own] = shops;
  // Five in one workspace, five in workspaces of their own, all behind the large one.
  const campaigns = [await running(large)];
  for (const shop of [shared, shared, shared, shared, shared, ...own])
    campaigns.push(await running(shop));
  const largeNumber = await numberOf(large);
  let ofLarge = 0;
  let seen = 0;
  let largeBefore = 0;
  ground.graph.answer = (request) => {
    if (request.url.includes(`/${largeNumber}/`)) ofLarge++;
    else if (++seen === 500) largeBefore = ofLarge;
    return ground.graph.accepted();
  };
  while ((await sendRound(ground.t.app)) > 0) ground.t.clock.advance(1_000);
  assert.deepEqual([seen, ofLarge], [500, 4_000]);
  // Two batches of 256 of the large one are being sent and may take one more each while the others begin.
  assert.ok(
    largeBefore <= 4 * 256,
    `${largeBefore} of the large one went before the small ones were through`,
  );
  for (const { shop, id } of campaigns)
    assert.equal((await shop.checkCounts(id)).status, "COMPLETED");
});

async function numberOf(shop: Shop): Promise<string> {
  const [channel] = await listChannels(shop.app, shop.id);
  return channel?.externalId ?? "";
}

test("a provider that hangs for one campaign does not delay another, not even one that starts later", async () => {
  const shops = [await shopOf(600), await shopOf(600)] as const;
  const hung = await running(shops[0]);
  const number = await numberOf(hung.shop);
  const stuck: ((answer: HttpResponse) => void)[] = [];
  const hanging = Promise.withResolvers<void>();
  const done = Promise.withResolvers<void>();
  let sent = 0;
  ground.graph.answer = (request) => {
    if (request.url.includes(`/${number}/`))
      return new Promise<HttpResponse>((resolve) => {
        stuck.push(resolve);
        hanging.resolve();
      });
    if (++sent === 600) done.resolve();
    return ground.graph.accepted();
  };
  const round = sendRound(ground.t.app);
  await hanging.promise;
  const other = await running(shops[1]);
  // All messages of the other are sent while no call of the first is answered.
  await done.promise;
  const inTheAir = stuck.length;
  assert.ok(inTheAir > 0, String(inTheAir));
  ground.graph.answer = () => ground.graph.accepted();
  for (const resolve of stuck) resolve(ground.graph.accepted());
  await round;
  await ground.t.app.drain();
  for (const { shop, id } of [hung, other])
    assert.equal((await shop.checkCounts(id)).sentCount, 600);
});

test("a reply written while a campaign runs at full pace is sent between its batches", async () => {
  const { shop, id } = await running(await shopOf(2_600));
  const conversation = await shop.desk.hears("96599999999");
  const calls: string[] = [];
  const accepted: number[] = [];
  const replies: Promise<unknown>[] = [];
  ground.graph.answer = async (_, { to }) => {
    const number = calls.push(to);
    // The platform takes a moment, as it does.
    await new Promise((resolve) => setImmediate(resolve));
    if (number % 500 === 0)
      replies.push(
        shop.desk.replies(conversation, `answer ${number}`).then(() => {
          accepted.push(calls.length);
        }),
      );
    return ground.graph.accepted();
  };
  const dispatcher = createDispatchWorker(ground.t.app);
  let over = false;
  const dispatching = (async () => {
    while (!over) await dispatcher.runOnce();
  })();
  while ((await shop.find(id)).status === "RUNNING") {
    await sendRound(ground.t.app);
    ground.t.clock.advance(200);
  }
  await Promise.all(replies);
  over = true;
  ground.t.app.wake.nudge("messages");
  await dispatching;
  await ground.t.app.drain();
  await dispatcher.stop?.();
  const at = calls.flatMap((to, index) => (to === "96599999999" ? [index] : []));
  assert.ok(accepted.length >= 4);
  assert.equal(at.length, accepted.length);
  for (const [n, from] of accepted.entries()) {
    const waited = (at[n] ?? Infinity) - from;
    assert.ok(waited <= 6 * 256, `reply ${n} waited for ${waited} calls of the campaign`);
  }
  assert.equal((await shop.checkCounts(id)).sentCount, 2_600);
});

test("when the platform's wait is over replies are sent first, and the campaign after them", async () => {
  const { shop, id } = await running(await shopOf(300));
  const conversations = await Promise.all(
    Array.from({ length: 5 }, (_, n) => shop.desk.hears(`9659888000${n}`)),
  );
  ground.graph.answer = () => refusal(400, 130429);
  assert.ok((await sendBatch(shop.app, shop.key(id))) > 0);
  for (const conversation of conversations) await shop.desk.replies(conversation);
  ground.graph.sent.length = 0;
  ground.graph.answer = () => ground.graph.accepted();
  // Parked for long: the replies were written before the wait was over.
  ground.t.clock.advance(1_001);
  assert.equal(await sendRound(ground.t.app), 0);
  assert.equal(ground.graph.sent.length, 0);
  await ground.t.app.drain();
  const first = ground.graph.sent.slice(0, 5).map((one) => one.to);
  assert.ok(
    first.every((to) => to.startsWith("96598880")),
    first.join(),
  );
  assert.equal((await shop.checkCounts(id)).status, "COMPLETED");
});

test("a reply that has waited for a moment or for half a minute does not delay the campaign, one between does", async () => {
  const { shop, id } = await running(await shopOf(6));
  await shop.desk.replies(await shop.desk.hears("96598881111"));
  // It was accepted just now: its worker is about to call, and needs nothing from the campaign.
  assert.equal(await sendBatch(shop.app, shop.key(id), 3), 3);
  ground.t.clock.advance(251);
  assert.equal(await sendBatch(shop.app, shop.key(id)), 0);
  ground.t.clock.advance(30_000);
  assert.equal(await sendBatch(shop.app, shop.key(id)), 3);
});

test("what a batch handed in does not delay the campaign: both reserve places of the number", async () => {
  const { shop, id } = await running(await shopOf(6));
  await shop.desk.replies(await shop.desk.hears("96598881112"));
  await shop.app.db.query(sql`
    update message_outbox set after_replies = true where workspace_id = ${shop.id}`);
  ground.t.clock.advance(251);
  assert.equal(await sendBatch(shop.app, shop.key(id)), 6);
});

/** A campaign that has run for long: this many recipients, straight into the table. */
async function runningLong(shop: Shop, count: number, rateLimitPerMinute: number): Promise<string> {
  const { id } = await shop.draft({ rateLimitPerMinute });
  const at = ground.t.clock.now();
  await shop.app.db.query(sql`
    insert into broadcast_recipient (workspace_id, broadcast_id, contact_id, address, content, status)
    select ${shop.id}, ${id}, c.id, '9657' || lpad(n::text, 7, '0'), '["Sara"]', 'pending'
    from generate_series(1, ${count}::integer) n
    cross join lateral (select ('01900000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid as id) c`);
  await shop.app.db.query(sql`
    insert into contact (workspace_id, id, name, phone, search, created_at, updated_at)
    select ${shop.id}, r.contact_id, 'Sara', r.address, '', ${at}, ${at} from broadcast_recipient r
    where r.workspace_id = ${shop.id} and r.broadcast_id = ${id} order by r.contact_id limit 1000`);
  await shop.app.db.query(sql`update broadcast set status = 'RUNNING', started_at = ${at},
    total_count = ${count} where workspace_id = ${shop.id} and id = ${id}`);
  return id;
}

test("a slow campaign of tens of thousands delays neither one that starts later on another channel, nor its replies", async () => {
  const large = await shopOf(0);
  const small = await shopOf(500);
  const slow = await runningLong(large, 30_000, 60);
  await sendRound(ground.t.app);
  assert.equal((await large.find(slow)).sentCount, 1);
  const worker = createRunBroadcastsWorker(ground.t.app);
  const { id } = await small.draft();
  await small.start(id);
  // The clock stands still, so the slow one has no place.
  await createStoreAudiencesWorker(ground.t.app).runOnce();
  await worker.runOnce();
  assert.equal((await small.checkCounts(id)).sentCount, 500);
  assert.equal((await large.find(slow)).sentCount, 1);
  // On its own number a reply is sent before the campaign's next recipient, whose place is there.
  const conversation = await large.desk.hears("96598880000");
  await large.desk.replies(conversation);
  ground.t.clock.advance(2_000);
  ground.graph.sent.length = 0;
  await worker.runOnce();
  assert.equal(ground.graph.sent.length, 0);
  const dispatcher = createDispatchWorker(ground.t.app);
  await dispatcher.runOnce();
  await dispatcher.stop?.();
  // The time for which it stands back.
  ground.t.clock.advance(50);
  await worker.runOnce();
  assert.deepEqual(
    ground.graph.sent.map(({ to }) => to.slice(0, 5)),
    ["96598", "96570"],
  );
});

test("while a large audience is stored, a small campaign that starts later is sent and completed", async () => {
  const large = await shopOf(30_000);
  const small = await shopOf(50);
  const big = await large.draft({ rateLimitPerMinute: 60 });
  await large.start(big.id);
  // A turn is eight chunks: 8,000 of the large audience, however busy the machine is.
  const background = { ...ground.t.app.background, size: () => Promise.resolve(1_000) };
  const storing = createStoreAudiencesWorker({ ...ground.t.app, background });
  await storing.runOnce();
  const { id } = await small.draft();
  await small.start(id);
  await storing.runOnce();
  await createRunBroadcastsWorker(ground.t.app).runOnce();
  assert.equal((await small.find(id)).sentCount, 50);
  assert.equal((await large.find(big.id)).status, "QUEUED");
});
