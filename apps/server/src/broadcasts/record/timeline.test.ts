import { OPERATOR } from "../../actor.ts";
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { sql } from "../../db/sql.ts";
import { receiveEvents } from "../../messages/receive/receive-events.ts";
import { broadcastTimeline } from "./broadcast-timeline.ts";
import { refusal, Shop, startGround, type Ground } from "./campaign.fixture.ts";
import { pauseBroadcast } from "./change-broadcast.ts";

let ground: Ground;

before(async () => {
  ground = await startGround();
});

after(() => ground[Symbol.asyncDispose]());

beforeEach(() => {
  ground.graph.sent.length = 0;
  ground.graph.answer = () => ground.graph.accepted();
});

async function sentTo(count: number): Promise<{ shop: Shop; id: string; people: string[] }> {
  const shop = await Shop.open(ground);
  const people = await shop.crowd(count);
  const { id } = await shop.draft();
  await shop.start(id);
  await ground.t.app.drain();
  return { shop, id, people };
}

test("the timeline tells every move with its cause and actor, each halving and each wait, and counts by the minute", async () => {
  const shop = await Shop.open(ground, { messages: 7 });
  await shop.crowd(10);
  const { id } = await shop.draft({ rateLimitPerMinute: 6_000 });
  let refused = 0;
  ground.graph.answer = () => (refused++ < 3 ? refusal(400, 130429) : ground.graph.accepted());
  await shop.start(id);
  await ground.t.app.drain();
  ground.t.clock.advance(61_000);
  await ground.t.app.drain();
  await shop.app.db.query(
    sql`update workspace set limits = '{"messages": 100}' where id = ${shop.id}`,
  );
  await shop.start(id);
  await pauseBroadcast(OPERATOR, shop.app, shop.id, id);
  await shop.start(id);
  await ground.t.app.drain();
  const { entries, chart } = await broadcastTimeline(shop.app, shop.id, id);
  const words = entries.map((one) =>
    [one.kind, one.from, one.to, one.cause, one.actor, one.rateFrom, one.rateTo]
      .filter((part) => part !== null)
      .join(" "),
  );
  assert.deepEqual(words, [
    "start DRAFT QUEUED cli",
    "stored QUEUED RUNNING",
    // What the allowance still covers is sent after the pause, and is throttled.
    "halt RUNNING PAUSED MESSAGE_LIMIT_REACHED",
    "waited THROTTLED",
    "halved THROTTLED 6000 3000",
    "start PAUSED RUNNING cli",
    "pause RUNNING PAUSED cli",
    "start PAUSED RUNNING cli",
    "complete RUNNING COMPLETED",
  ]);
  assert.deepEqual(
    chart.map((one) => one.sent).reduce((sum, one) => sum + one, 0),
    10,
  );
  assert.equal(chart.length, 2);
  const hours = (await broadcastTimeline(shop.app, shop.id, id, "hour")).chart;
  assert.equal(
    hours.reduce((sum, one) => sum + one.sent, 0),
    10,
  );
});

test("the minutes add up to the counts while statuses come, repeat and are corrected", async () => {
  const { shop, id } = await sentTo(4);
  const tell = (n: number, status: "delivered" | "read" | "failed") =>
    receiveEvents(shop.app, [
      shop.desk.status({
        correlationId: ground.graph.sent[n]?.biz_opaque_callback_data ?? "",
        externalMessageId: `m.${shop.id}.${n}`,
        status,
        errorCode: status === "failed" ? "131026" : null,
      }),
    ]);
  await tell(0, "read");
  await tell(0, "delivered");
  await tell(1, "delivered");
  await tell(1, "delivered");
  ground.t.clock.advance(60_000);
  await tell(1, "read");
  await tell(2, "delivered");
  const { chart } = await broadcastTimeline(shop.app, shop.id, id);
  const sum = (part: "sent" | "delivered" | "read") =>
    chart.reduce((total, one) => total + one[part], 0);
  const now = await shop.checkCounts(id);
  assert.deepEqual(
    [sum("sent"), sum("delivered"), sum("read")],
    [now.sentCount, now.deliveredCount, now.readCount],
  );
  assert.deepEqual(
    chart.map((one) => one.delivered),
    [2, 1],
  );
  await tell(3, "failed");
  await tell(3, "delivered");
  const corrected = (await broadcastTimeline(shop.app, shop.id, id)).chart.at(-1);
  assert.deepEqual(
    [corrected?.failed, corrected?.sent, corrected?.delivered],
    [1, 1, 2],
    "what was told stays, and it became sent and delivered",
  );
  const then = await shop.checkCounts(id);
  assert.deepEqual([then.sentCount, then.deliveredCount, then.failedCount], [4, 4, 0]);
});
