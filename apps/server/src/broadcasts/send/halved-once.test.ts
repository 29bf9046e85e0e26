import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { IN_FRONT } from "../../open-context.ts";
import { refusal, Shop, startGround, type Ground } from "../record/campaign.fixture.ts";
import { broadcastTimeline } from "../record/broadcast-timeline.ts";
import { sendBatch } from "./send-batch.ts";
import { storeChunk } from "../audience/store-chunk.fixture.ts";

let ground: Ground;
before(async () => {
  ground = await startGround();
});
after(() => ground[Symbol.asyncDispose]());

test("a batch that begins before a refusal is stored belongs to its episode: the pace is halved once", async () => {
  const shop = await Shop.open(ground);
  await using busy = await ground.another();
  await shop.crowd(40);
  const { id } = await shop.draft({ rateLimitPerMinute: 6_000 });
  await shop.start(id);
  await storeChunk(shop.app, shop.key(id));

  // The first batch is refused while its process has no connection free to store that.
  const lent = Promise.withResolvers<void>();
  const free = Promise.withResolvers<void>();
  const refused = Promise.withResolvers<void>();
  let holding: Promise<unknown> = Promise.resolve();
  const second = Promise.withResolvers<void>();
  let batch = 1;
  ground.graph.answer = async () => {
    if (batch === 2) await second.promise;
    else {
      holding = Promise.all(
        Array.from({ length: IN_FRONT.poolSize }, () =>
          busy.db.transaction(() => (lent.resolve(), free.promise)),
        ),
      );
      await lent.promise;
      refused.resolve();
    }
    return refusal(400, 130429);
  };
  const one = sendBatch(busy, shop.key(id), 1);
  await refused.promise;
  // The answer is on its way to be stored, within this process.
  for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
  ground.t.clock.advance(100);
  batch = 2;
  const two = sendBatch(shop.app, shop.key(id), 1);
  while (ground.graph.sent.length < 2) await new Promise(setImmediate);
  free.resolve();
  await Promise.all([one, holding]);
  second.resolve();
  await two;
  const { entries } = await broadcastTimeline(shop.app, shop.id, id, "minute");
  assert.deepEqual(
    entries.flatMap((entry) => (entry.kind === "halved" ? [entry.rateTo] : [])),
    [3_000],
  );
});
