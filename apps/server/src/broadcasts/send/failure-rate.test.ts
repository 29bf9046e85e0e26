import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { sql } from "../../db/sql.ts";
import { receiveEvents } from "../../messages/receive/receive-events.ts";
import { refusal, Shop, startGround, type Ground } from "../record/campaign.fixture.ts";
import { describeRate, worstStretch, type Called } from "./failure-rate.ts";
import { sendBatch } from "./send-batch.ts";
import { storeChunk } from "../audience/store-chunk.fixture.ts";
import { sweepRecipients } from "./sweep-recipients.ts";

let ground: Ground;
before(async () => {
  ground = await startGround();
});
after(() => ground[Symbol.asyncDispose]());
beforeEach(() => {
  ground.graph.sent.length = 0;
  ground.graph.answer = () => ground.graph.accepted();
});

const called = (word: string): Called[] =>
  Array.from(word, (letter) => ({
    failed: letter !== ".",
    reason: letter === "." ? null : letter,
  }));

test("twenty failures among any hundred in a row are too many; nineteen, or twenty among more, are not", () => {
  const words = (word: string) => {
    const rate = worstStretch(called(word));
    return rate && describeRate(rate);
  };
  assert.equal(words(""), null);
  assert.equal(words("a".repeat(19)), null);
  assert.match(
    words("a".repeat(20)) ?? "",
    /: 20 of 20 recipients in a row failed, 20 of them with a/,
  );
  assert.equal(words("a.....".repeat(50)), null);
  assert.match(words("a....".repeat(50)) ?? "", /: 20 of \d+ recipients/);
  assert.equal(words(`${"a".repeat(10)}${".".repeat(90)}${"a".repeat(10)}`), null);
  assert.match(
    words(`${"a".repeat(10)}${".".repeat(80)}${"b".repeat(10)}`) ?? "",
    /20 of 100 .* 10 of them/,
  );
  assert.match(
    words(`${".".repeat(500)}${"ab".repeat(12)}b${".".repeat(500)}`) ?? "",
    /25 of 100 .* 13 of them with b/,
  );
});

/** A running campaign whose sends the test makes. */
async function running(count: number): Promise<{ shop: Shop; id: string }> {
  const shop = await Shop.open(ground);
  await shop.crowd(count);
  const { id } = await shop.draft();
  await shop.start(id);
  while ((await shop.find(id)).status === "QUEUED") await storeChunk(shop.app, shop.key(id));
  return { shop, id };
}
const numberOf = (to: string) => Number(to.slice(-7));
const notices = async (shop: Shop) => {
  const rows = await shop.app.db.query<{ body: string }>(
    sql`select body from notice where workspace_id = ${shop.id} and kind = 'broadcast.paused'`,
  );
  return rows.map((row) => row.body);
};

test("refusals of one in five pause the campaign with figures, told once; one in six do not", async () => {
  const { shop, id } = await running(600);
  ground.graph.answer = (_, { to }) =>
    numberOf(to) % 6 === 0 ? refusal(400, 131026) : ground.graph.accepted();
  await sendBatch(shop.app, shop.key(id));
  assert.equal((await shop.checkCounts(id)).status, "RUNNING");
  ground.graph.answer = (_, { to }) =>
    numberOf(to) % 5 === 0 ? refusal(400, 131026) : ground.graph.accepted();
  await Promise.all([sendBatch(shop.app, shop.key(id)), sendBatch(shop.app, shop.key(id), 40)]);
  const paused = await shop.checkCounts(id);
  assert.equal(paused.status, "PAUSED");
  assert.match(
    paused.statusReason ?? "",
    /^FAILURE_RATE: 2\d of 100 recipients in a row failed, 2\d of them with 131026$/,
  );
  const [notice, ...more] = await notices(shop);
  assert.match(notice ?? "", /FAILURE_RATE/);
  assert.equal(more.length, 0);

  // After a person resumes it, only what it does from then on counts, even if an old failure is reported late.
  ground.t.clock.advance(1_000);
  ground.graph.answer = () => ground.graph.accepted();
  await shop.start(id);
  const old = ground.graph.sent.slice(0, 20).map((one) => one.biz_opaque_callback_data);
  await receiveEvents(
    shop.app,
    old.map((correlationId) => failure(shop, correlationId)),
  );
  assert.equal((await shop.find(id)).status, "RUNNING");
  await ground.t.app.drain();
  assert.equal((await shop.checkCounts(id)).status, "COMPLETED");
  assert.equal((await notices(shop)).length, 1);
});

const failure = (shop: Shop, correlationId: string) =>
  shop.desk.status({
    correlationId,
    externalMessageId: `f.${correlationId}`,
    status: "failed",
    errorCode: "131026",
    errorDetail: "undeliverable",
  });

test("failures that the platform reports long after it accepted the messages count where they happened", async () => {
  const { shop, id } = await running(1_200);
  for (let n = 0; n < 3; n++) await sendBatch(shop.app, shop.key(id));
  const calls = ground.graph.sent.toSorted((a, b) => (a.to < b.to ? -1 : 1));
  assert.equal(calls.length, 768);
  // One in ten of all, reported in one burst of 76: no hundred in a row has twenty.
  const tenth = calls.filter((one) => numberOf(one.to) % 10 === 3);
  await receiveEvents(
    shop.app,
    tenth.map((one) => failure(shop, one.biz_opaque_callback_data)),
  );
  assert.equal((await shop.checkCounts(id)).status, "RUNNING");
  // Ten more of the same hundred, long ago: it has twenty now.
  const more = calls.filter(({ to }) => numberOf(to) < 100 && numberOf(to) % 10 === 5);
  for (const one of more.slice(1))
    await receiveEvents(shop.app, [failure(shop, one.biz_opaque_callback_data)]);
  assert.equal((await shop.checkCounts(id)).status, "RUNNING");
  await receiveEvents(shop.app, [failure(shop, more[0]?.biz_opaque_callback_data ?? "")]);
  assert.equal((await shop.checkCounts(id)).status, "PAUSED");
});

test("lost answers count once they are given up; opted-out recipients do not", async () => {
  const shop = await Shop.open(ground);
  const people = Array.from({ length: 60 }, (_, n) => ({ phone: `9656${1_000_000 + n}` }));
  const ids = await shop.people(people);
  const { id } = await shop.draft();
  await shop.start(id);
  await storeChunk(shop.app, shop.key(id));
  await shop.app.db.query(sql`update contact set opted_out_at = ${ground.t.clock.now()}
    where workspace_id = ${shop.id} and id = any (${ids.slice(0, 25)}::uuid[])`);
  ground.graph.answer = (_, { to }) =>
    numberOf(to) % 2 === 0
      ? ground.graph.accepted()
      : { status: 500, headers: {}, body: Buffer.from("?") };
  await sendBatch(shop.app, shop.key(id), 58);
  assert.equal((await shop.checkCounts(id)).status, "RUNNING");
  assert.equal((await shop.find(id)).skippedCount, 25);
  ground.graph.answer = () => ground.graph.accepted();
  ground.t.clock.advance(16 * 60_000);
  // 17 given up: below twenty.
  await ground.t.app.drain();
  const done = await shop.checkCounts(id);
  assert.deepEqual([done.status, done.failedCount], ["COMPLETED", 17]);

  const more = await running(50);
  ground.graph.answer = () => ({ status: 500, headers: {}, body: Buffer.from("?") });
  await sendBatch(shop.app, more.shop.key(more.id), 20);
  ground.t.clock.advance(16 * 60_000);
  await sweepRecipients(more.shop.app);
  const paused = await more.shop.checkCounts(more.id);
  assert.deepEqual([paused.status, paused.failedCount], ["PAUSED", 20]);
  assert.match(paused.statusReason ?? "", /20 of them with OUTCOME_UNKNOWN$/);
});

test("when nobody waits any more there is nothing to pause: the campaign completes", async () => {
  const { shop, id } = await running(40);
  ground.graph.answer = () => refusal(400, 131026);
  await ground.t.app.drain();
  const done = await shop.checkCounts(id);
  assert.deepEqual([done.status, done.failedCount], ["COMPLETED", 40]);
});
