import assert from "node:assert/strict";
import { test } from "node:test";
import { callsByAddress, Shop, startGround } from "../../src/broadcasts/campaign.fixture.ts";
import { sendBatch } from "../../src/broadcasts/send-batch.ts";
import { storeChunk } from "../../src/broadcasts/store-audience.ts";
import { receiveEvents } from "../../src/messages/receive-events.ts";
import { mortal } from "./mortal.ts";

const RECIPIENTS = 3;

test("a campaign's worker dies at each of its steps: nobody is called twice, everybody is accounted for", async (t) => {
  await using ground = await startGround();
  const { graph, t: outer } = ground;
  const ends: Record<string, number> = {};
  let alive = false;
  let steps = 0;
  for (; !alive; steps++) {
    assert.ok(steps < 200);
    const shop = await Shop.open(ground);
    await shop.crowd(RECIPIENTS);
    const { id } = await shop.draft();
    await shop.start(id);
    while ((await shop.find(id)).status === "QUEUED") await storeChunk(shop.app, shop.key(id));
    graph.sent.length = 0;

    const { worker, died } = mortal(shop.app, steps);
    alive = (await Promise.race([sendBatch(worker, shop.key(id)), died])) !== "died";
    await shop.checkCounts(id);
    // The platform tells of the first that it has; of the others it is silent for ever.
    const told = graph.sent[0];
    if (told !== undefined)
      await receiveEvents(outer.app, [
        shop.desk.status({
          externalMessageId: `wamid.of.${steps}`,
          correlationId: told.biz_opaque_callback_data,
        }),
      ]);
    // Others work on, and a quarter of an hour passes.
    for (let minutes = 0; minutes < 18; minutes += 3) {
      await outer.app.drain();
      outer.clock.advance(3 * 60_000);
    }
    await outer.app.drain();

    const at = `after ${steps} steps`;
    const done = await shop.checkCounts(id);
    assert.equal(done.status, "COMPLETED", at);
    assert.equal(done.sentCount + done.failedCount, RECIPIENTS, at);
    const calls = callsByAddress(graph.sent);
    assert.ok(
      [...calls.values()].every((count) => count === 1),
      `${at} somebody is called twice`,
    );
    // Who is not called is unknown by name; what the platform told of is never given up.
    const outcomes = await shop.outcomes(id);
    const unknown = outcomes.filter((word) => word === "failed OUTCOME_UNKNOWN").length;
    assert.equal(unknown, done.failedCount, at);
    assert.ok(RECIPIENTS - calls.size <= unknown, at);
    assert.equal(outcomes.filter((word) => word === "delivered").length, told ? 1 : 0, at);
    const end = `${calls.size} called, ${unknown} unknown`;
    ends[end] = (ends[end] ?? 0) + 1;
  }
  t.diagnostic(`${steps - 1} places to die: ${JSON.stringify(ends)}`);
  assert.ok(steps > 20 && Object.keys(ends).length > 1);
});
