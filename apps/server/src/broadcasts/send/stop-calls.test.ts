import { OPERATOR } from "../../actor.ts";
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Sql } from "../../db/sql.ts";
import type { HttpResponse } from "../../lib/http.ts";
import { callsByAddress, Shop, startGround, type Ground } from "../record/campaign.fixture.ts";
import { cancelBroadcast, pauseBroadcast } from "../record/change-broadcast.ts";
import { sendBatch } from "./send-batch.ts";
import { storeChunk } from "../audience/store-chunk.fixture.ts";
import { usageSummary } from "../../usage/usage-summary.ts";
import { ownTime } from "../../../test/processor-time.ts";

let ground: Ground;
before(async () => {
  ground = await startGround();
});
after(() => ground[Symbol.asyncDispose]());

/**
 * A batch of 200 of which 128 are open, at a provider that answers none of them until it is told. Then `stop`
 * runs, and the answers come as soon as the sender has seen it.
 */
async function stopInTheAir(stop: (shop: Shop, id: string) => Promise<unknown>) {
  ground.graph.sent.length = 0;
  const shop = await Shop.open(ground);
  await shop.crowd(200);
  const { id } = await shop.draft();
  await shop.start(id);
  await storeChunk(shop.app, shop.key(id));
  const held: ((answer: HttpResponse) => void)[] = [];
  const full = Promise.withResolvers<void>();
  ground.graph.answer = () =>
    new Promise<HttpResponse>((resolve) => {
      if (held.push(resolve) === 128) full.resolve();
    });
  const seen = Promise.withResolvers<void>();
  const { app } = shop;
  // The sender asks for the campaign's state; what it does with the answer is done before the next turn of the
  // loop.
  const query = async <Row extends object>(statement: Sql): Promise<Row[]> => {
    const asked = stopped;
    const rows = await app.db.query<Row>(statement);
    if (asked) setImmediate(seen.resolve);
    return rows;
  };
  const db = new Proxy(app.db, {
    get: (target, name) => (name === "query" ? query : (Reflect.get(target, name) as unknown)),
  });
  let stopped = false;
  const batch = sendBatch({ ...app, db }, shop.key(id), 200);
  await full.promise;
  using time = ownTime();
  await stop(shop, id);
  stopped = true;
  await seen.promise;
  const noticed = time.ms;
  ground.graph.answer = () => ground.graph.accepted();
  for (const resolve of held) resolve(ground.graph.accepted());
  await batch;
  return { shop, id, noticed };
}

test("a pause stops a batch in progress within a second: open calls settle, the rest waits", async () => {
  const { shop, id, noticed } = await stopInTheAir((s, one) =>
    pauseBroadcast(OPERATOR, s.app, s.id, one),
  );
  assert.ok(noticed < 1_000, `${noticed} ms`);
  assert.equal(ground.graph.sent.length, 128);
  const paused = await shop.checkCounts(id);
  assert.deepEqual([paused.status, paused.sentCount], ["PAUSED", 128]);
  assert.equal((await shop.outcomes(id)).filter((word) => word === "pending").length, 72);
  await shop.start(id);
  await ground.t.app.drain();
  const done = await shop.checkCounts(id);
  assert.deepEqual([done.status, done.sentCount], ["COMPLETED", 200]);
  assert.deepEqual([...new Set(callsByAddress(ground.graph.sent).values())], [1]);
  // Waiting recipients kept the message and its slot.
  assert.equal((await usageSummary(shop.app, shop.id)).usage.messages, 200);
});

test("a cancel wins over recipients that are claimed and not yet called", async () => {
  const { shop, id } = await stopInTheAir((s, one) => cancelBroadcast(OPERATOR, s.app, s.id, one));
  assert.equal(ground.graph.sent.length, 128);
  ground.t.clock.advance(6_000);
  await ground.t.app.drain();
  const over = await shop.checkCounts(id);
  assert.deepEqual([over.status, over.sentCount, over.failedCount], ["CANCELLED", 128, 72]);
  const words = (await shop.outcomes(id)).filter((word) => word !== "sent");
  assert.deepEqual([...new Set(words)], ["failed BROADCAST_CANCELLED"]);
  assert.equal(ground.graph.sent.length, 128);
});
