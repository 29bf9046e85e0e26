import { OPERATOR } from "../../actor.ts";
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { listChannels } from "../../channels/list-channels.ts";
import type { HttpResponse } from "../../lib/http.ts";
import { Shop, startGround, type Ground } from "../record/campaign.fixture.ts";
import { cancelBroadcast } from "../record/change-broadcast.ts";
import { turnAt } from "./pace.ts";
import { Rests } from "./rests.ts";
import { sendRound } from "./send-round.ts";
import { storeChunk } from "../audience/store-chunk.fixture.ts";

let ground: Ground;
before(async () => {
  ground = await startGround();
});
after(() => ground[Symbol.asyncDispose]());
beforeEach(() => {
  ground.graph.answer = () => ground.graph.accepted();
});

const never = () => false;

/** A workspace with this many contacts. Opened before any campaign runs, because it drains the workers. */
async function shopOf(count: number): Promise<Shop> {
  const shop = await Shop.open(ground);
  await shop.crowd(count);
  return shop;
}

async function running(shop: Shop, rateLimitPerMinute?: number) {
  const { id } = await shop.draft(rateLimitPerMinute === undefined ? {} : { rateLimitPerMinute });
  await shop.start(id);
  while ((await shop.find(id)).status === "QUEUED") await storeChunk(shop.app, shop.key(id));
  const [channel] = await listChannels(shop.app, shop.id);
  return { shop, id, number: channel?.externalId ?? "" };
}

test("a rest lasts until the next turn, between 20 and 250 ms", () => {
  const rests = new Rests();
  const at = (ms: number) => new Date(1_000_000 + ms);
  assert.equal(rests.soonest(at(0)), null);
  // Places are taken until then.
  for (const [id, next] of [
    ["usual", 900],
    ["fast", 313],
    ["fastest", 251],
  ] as const)
    rests.begin(id, turnAt(at(next).getTime(), at(0)));
  assert.equal(rests.soonest(at(0)), 20);
  assert.deepEqual(
    ["usual", "fast", "fastest", "other"].map((id) => rests.has(id, at(62))),
    [true, true, false, false],
  );
  assert.equal(rests.soonest(at(62)), 1);
  assert.equal(rests.has("fast", at(63)), false);
  assert.equal(rests.soonest(at(100)), 150);
  assert.equal(rests.has("usual", at(250)), false);
  assert.equal(rests.soonest(at(250)), null);
});

test("a clock that is set back an hour makes nobody rest for an hour", () => {
  const rests = new Rests();
  rests.begin("one", new Date(3_700_250));
  assert.equal(rests.has("one", new Date(100_000)), false);
});

test("a campaign that has taken all places ahead is not asked for the two or three that came meanwhile", async () => {
  const { shop, id } = await running(await shopOf(200), 4_800);
  const rests = new Rests();
  const round = () => sendRound(shop.app, never, rests);
  assert.equal(await round(), 38);
  shop.ground.t.clock.advance(100);
  assert.equal(await round(), 0);
  // Recipients were waiting: a worker that knows of no rest claims them.
  assert.equal(await sendRound(shop.app, never, new Rests()), 7);
  shop.ground.t.clock.advance(150);
  assert.equal(await round(), 12);
  await shop.checkCounts(id);
  await cancelBroadcast(OPERATOR, shop.app, shop.id, id);
});

test("a slow provider has as many open calls as the pace needs", async (t) => {
  const { shop, id } = await running(await shopOf(1_000), 60_000);
  const calls: ((answer: HttpResponse) => void)[] = [];
  const two = Promise.withResolvers<void>();
  const many = Promise.withResolvers<void>();
  ground.graph.answer = () =>
    new Promise<HttpResponse>((resolve) => {
      const count = calls.push(resolve);
      if (count === 126) two.resolve();
      if (count === 600) many.resolve();
    });
  let answered = 0;
  const isTaking = () => answered >= 5;
  const answer = () => calls[answered++]?.(ground.graph.accepted());
  const time = setInterval(() => {
    ground.t.clock.advance(20);
    // One more answer each time: the provider is slow, not down, however slow the machine is.
    if (isTaking()) answer();
  }, 20);
  t.after(() => clearInterval(time));
  const round = sendRound(shop.app);
  // Two batches. A provider that accepted none of them may be down: it gets no more.
  await two.promise;
  await new Promise((resolve) => setTimeout(resolve, 120));
  assert.equal(calls.length, 126);
  while (!isTaking()) answer();
  await many.promise;
  ground.graph.answer = () => ground.graph.accepted();
  for (const resolve of calls) resolve(ground.graph.accepted());
  await round;
  clearInterval(time);
  // The round is over when nothing is open; those whose places are still to come wait for the next one.
  for (let turn = 0; turn < 5; turn++) {
    await ground.t.app.drain();
    ground.t.clock.advance(250);
  }
  assert.equal((await shop.checkCounts(id)).sentCount, 1_000);
});

test("a resting campaign goes on when places for a batch have come, also while another campaign's provider hangs", async () => {
  const shops = [await shopOf(300), await shopOf(60)] as const;
  const [hung, paced] = [await running(shops[0]), await running(shops[1], 4_800)];
  const stuck: ((answer: HttpResponse) => void)[] = [];
  const hanging = Promise.withResolvers<void>();
  const ahead = Promise.withResolvers<void>();
  const all = Promise.withResolvers<void>();
  let sent = 0;
  ground.graph.answer = (request) => {
    if (request.url.includes(`/${hung.number}/`))
      return new Promise<HttpResponse>((resolve) => {
        stuck.push(resolve);
        hanging.resolve();
      });
    if (++sent === 38) ahead.resolve();
    if (sent === 60) all.resolve();
    return ground.graph.accepted();
  };
  const round = sendRound(ground.t.app);
  await Promise.all([hanging.promise, ahead.promise]);
  ground.t.clock.advance(300);
  await all.promise;
  ground.graph.answer = () => ground.graph.accepted();
  for (const resolve of stuck) resolve(ground.graph.accepted());
  await round;
  await ground.t.app.drain();
  for (const { shop, id } of [hung, paced]) await shop.checkCounts(id);
});
