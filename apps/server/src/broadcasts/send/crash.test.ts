import { OPERATOR } from "../../actor.ts";
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import type { Context } from "../../context.ts";
import { beginBatch } from "./begin-batch.ts";
import { callsByAddress, Shop, startGround, type Ground } from "../record/campaign.fixture.ts";
import { cancelBroadcast, pauseBroadcast } from "../record/change-broadcast.ts";
import { intendCalls } from "./flight-store.ts";
import { haltCampaigns } from "../record/halt-broadcast.ts";
import { makeCalls, type Answered } from "./make-calls.ts";
import { planBroadcast } from "./plan-sending.ts";
import { sendBatch } from "./send-batch.ts";
import { deleteContact } from "../../contacts/record/delete-contact.fixture.ts";
import { sql } from "../../db/sql.ts";
import { settleBatch } from "./settle-batch.ts";
import { storeChunk } from "../audience/store-chunk.fixture.ts";

let ground: Ground;
before(async () => {
  ground = await startGround();
});
after(() => ground[Symbol.asyncDispose]());
beforeEach(() => {
  ground.graph.sent.length = 0;
  ground.graph.answer = () => ground.graph.accepted();
});

/** A running campaign with its audience stored and nothing sent. */
async function running(count: number): Promise<{ shop: Shop; id: string }> {
  const shop = await Shop.open(ground);
  await shop.crowd(count);
  const { id } = await shop.draft();
  await shop.start(id);
  while ((await shop.find(id)).status === "QUEUED") await storeChunk(shop.app, shop.key(id));
  return { shop, id };
}

/** A worker that can be stopped after its intent is stored. */
const begin = async (shop: Shop, id: string, limit: number, worker: Context = shop.app) => {
  const plan = await planBroadcast(shop.app, await shop.find(id));
  if (!("send" in plan)) throw new Error(JSON.stringify(plan));
  const begun = await beginBatch(worker, shop.key(id), plan, limit);
  if (begun.kind !== "begun") throw new Error(`nothing begun: ${begun.kind}`);
  const intend = (upTo: number) => intendCalls(shop.app.db, shop.key(id), begun.flightId, upTo);
  return { ...begun, plan, intend };
};
const call = async (shop: Shop, { plan, calls, intend }: Awaited<ReturnType<typeof begin>>) => {
  const answers: Answered[] = [];
  await makeCalls(shop.app, plan, calls, async (batch) => void answers.push(...batch), { intend });
  return answers;
};

test("a worker that dies once its intent is stored: nobody else calls; unknown after 15 minutes", async () => {
  const { shop, id } = await running(5);
  const { intend } = await begin(shop, id, 3);
  assert.ok(await intend(3));
  ground.t.clock.advance(60_000);
  await ground.t.app.drain();
  assert.equal(ground.graph.sent.length, 2);
  assert.equal((await shop.checkCounts(id)).status, "RUNNING");
  ground.t.clock.advance(14 * 60_000);
  await ground.t.app.drain();
  const done = await shop.checkCounts(id);
  assert.deepEqual([done.status, done.sentCount, done.failedCount], ["COMPLETED", 2, 3]);
  assert.equal(ground.graph.sent.length, 2);
});

test("a worker that dies before an intent is stored: another makes those calls, and the dead one could not any more", async () => {
  const { shop, id } = await running(8);
  const lost = shop.app.ids.next();
  const dying = { ...shop.app, life: { ...shop.app.life, id: lost } };
  const first = await begin(shop, id, 4, dying);
  // One was put back by a living worker and is with another batch, where its call may have begun.
  const [, , , moved] = first.calls;
  assert.ok(moved);
  const answers = [{ call: moved, outcome: null }];
  await settleBatch(shop.app, first.broadcast, answers, first.plan);
  const second = await begin(shop, id, 4);
  assert.ok(second.calls.some(({ claim }) => claim.contactId === moved.claim.contactId));
  assert.ok(await first.intend(2));
  assert.ok(await second.intend(4));
  await shop.app.db.query(
    sql`insert into process (id, seen_at) values (${lost}, clock_timestamp() - interval '3 s')`,
  );
  await ground.t.app.drain();
  assert.equal(await first.intend(3), false);
  assert.equal(ground.graph.sent.length, 2, "the freed one, and one that waited");
  ground.t.clock.advance(15 * 60_000);
  await ground.t.app.drain();
  const done = await shop.checkCounts(id);
  assert.deepEqual([done.status, done.sentCount, done.failedCount], ["COMPLETED", 2, 6]);
});

test("claimed calls of a batch that nobody makes are made by another after two minutes, each once", async () => {
  const { shop, id } = await running(5);
  const { intend } = await begin(shop, id, 3);
  ground.t.clock.advance(60_000);
  await ground.t.app.drain();
  assert.equal(ground.graph.sent.length, 2);
  ground.t.clock.advance(61_000);
  await ground.t.app.drain();
  const done = await shop.checkCounts(id);
  assert.deepEqual([done.status, done.sentCount], ["COMPLETED", 5]);
  assert.deepEqual([...callsByAddress(ground.graph.sent).values()], [1, 1, 1, 1, 1]);
  assert.equal(await intend(3), false);
});

test("a worker that wakes after two minutes makes none of its calls and puts them back", async () => {
  const { shop, id } = await running(3);
  const frozen = await begin(shop, id, 3);
  ground.t.clock.advance(121_000);
  const answers = await call(shop, frozen);
  assert.equal(ground.graph.sent.length, 0);
  await settleBatch(shop.app, frozen.broadcast, answers, frozen.plan);
  await ground.t.app.drain();
  assert.equal((await shop.checkCounts(id)).status, "COMPLETED");
  assert.equal(ground.graph.sent.length, 3);
});

test("an answer that comes after the give-up still proves the send; a refusal then changes nothing", async () => {
  const { shop, id } = await running(2);
  const slow = await begin(shop, id, 2);
  const answers = await call(shop, slow);
  ground.t.clock.advance(15 * 60_000);
  await ground.t.app.drain();
  assert.equal((await shop.checkCounts(id)).failedCount, 2);
  const [first, second] = answers;
  assert.ok(first && second);
  const throttled = { ok: false, reason: "throttled", code: "130429", detail: "" } as const;
  const late = [first, { call: second.call, outcome: throttled }];
  await settleBatch(shop.app, slow.broadcast, late, slow.plan);
  const after = await shop.checkCounts(id);
  assert.deepEqual([after.sentCount, after.failedCount], [1, 1]);
  assert.equal(ground.graph.sent.length, 2);
});

test("a pause or cancel before the intent: nothing is sent, and a resumed campaign sends it", async () => {
  const { shop, id } = await running(4);
  const plan = await planBroadcast(shop.app, await shop.find(id));
  if (!("send" in plan)) throw new Error(JSON.stringify(plan));
  await pauseBroadcast(OPERATOR, shop.app, shop.id, id);
  assert.deepEqual(await beginBatch(shop.app, shop.key(id), plan, 4), { kind: "nothing" });
  assert.deepEqual(await shop.outcomes(id), ["pending", "pending", "pending", "pending"]);
  await shop.start(id);
  const begun = await begin(shop, id, 1);
  await cancelBroadcast(OPERATOR, shop.app, shop.id, id);
  assert.deepEqual(await beginBatch(shop.app, shop.key(id), plan, 4), { kind: "nothing" });
  // What was committed before the cancel is sent; nobody else sends it.
  const answers = await call(shop, begun);
  await settleBatch(shop.app, begun.broadcast, answers, begun.plan);
  await ground.t.app.drain();
  assert.equal(ground.graph.sent.length, 1);
  assert.deepEqual(await shop.outcomes(id), ["sent", "pending", "pending", "pending"]);
  assert.equal((await shop.checkCounts(id)).status, "CANCELLED");
});

test("pause and cancel against a batch that begins at the same moment: all of it is sent, or none", async () => {
  for (const [turn, stop] of [pauseBroadcast, cancelBroadcast, pauseBroadcast].entries()) {
    const { shop, id } = await running(40);
    const [taken] = await Promise.all([
      sendBatch(shop.app, shop.key(id), 40),
      stop(OPERATOR, shop.app, shop.id, id),
    ]);
    const sent = (await shop.outcomes(id)).filter((word) => word === "sent").length;
    assert.equal(sent, taken, `turn ${turn}`);
    assert.ok(sent === 0 || sent === 40, `${sent} of 40`);
    await shop.checkCounts(id);
    ground.graph.sent.length = 0;
  }
});

test("a contact that is deleted while the campaign runs is skipped, and the campaign ends", async () => {
  const { shop, id } = await running(3);
  const [first] = await shop.app.db.query<{ id: string }>(
    sql`select id from contact where workspace_id = ${shop.id} order by id limit 1`,
  );
  await deleteContact(shop.app, shop.id, first?.id ?? "");
  await ground.t.app.drain();
  assert.deepEqual(await shop.outcomes(id), ["skipped no_address", "sent", "sent"]);
  assert.equal((await shop.checkCounts(id)).status, "COMPLETED");
});

test("calls that were open when the rate was halved do not halve it again; later ones do", async () => {
  const { shop, id } = await running(9);
  const first = await begin(shop, id, 3);
  ground.t.clock.advance(1_000);
  const second = await begin(shop, id, 3);
  ground.t.clock.advance(1_000);
  const outcome = {
    ok: false,
    reason: "throttled",
    code: "130429",
    detail: "",
    retryAfterMs: 4_000,
  } as const;
  const refuse = (batch: typeof first) =>
    settleBatch(
      shop.app,
      batch.broadcast,
      batch.calls.map((one) => ({ call: one, outcome })),
      batch.plan,
    );
  await refuse(first);
  assert.equal((await shop.find(id)).rateLimitPerMinute, 500_000);
  await refuse(second);
  assert.equal((await shop.find(id)).rateLimitPerMinute, 500_000);
  // Parked: nobody claims before the provider's wait is over.
  assert.equal(await sendBatch(shop.app, shop.key(id)), 0);
  ground.t.clock.advance(4_001);
  await refuse(await begin(shop, id, 3));
  assert.equal((await shop.find(id)).rateLimitPerMinute, 250_000);
  await shop.checkCounts(id);
  await cancelBroadcast(OPERATOR, shop.app, shop.id, id);
});

test("two workers on one campaign, with workers dying at every step: no address is called twice", async () => {
  const { shop, id } = await running(900);
  const other = await ground.another();
  let number = 0;
  // One answer in nine is lost on its way.
  ground.graph.answer = () =>
    ++number % 9 === 0
      ? { status: 502, headers: {}, body: Buffer.from("") }
      : ground.graph.accepted();
  for (let round = 0; round < 12; round++) {
    const dying = begin(shop, id, 5).then(({ intend }) => intend(3));
    await Promise.all([
      dying.catch(() => null),
      sendBatch(shop.app, shop.key(id), 30),
      sendBatch(other, shop.key(id), 30),
    ]);
    await shop.checkCounts(id);
    ground.t.clock.advance(10_000);
  }
  for (let turn = 0; turn < 5; turn++) {
    await Promise.all([ground.t.app.drain(), other.drain()]);
    ground.t.clock.advance(8 * 60_000);
  }
  const done = await shop.checkCounts(id);
  assert.equal(done.status, "COMPLETED");
  assert.equal(done.sentCount + done.failedCount, 900);
  const calls = callsByAddress(ground.graph.sent);
  assert.deepEqual([...new Set(calls.values())], [1]);
  // Those that died between intent and call have an unknown outcome, and no others.
  assert.equal(900 - calls.size, 36);
  await other[Symbol.asyncDispose]();
});

test("after a restore what was claimed for a call has an unknown outcome, and is not called", async () => {
  const { shop, id } = await running(3);
  await begin(shop, id, 3);
  const { app } = shop;
  await app.db.transaction((tx) => haltCampaigns(tx, app.clock.now(), "RESTORED"));
  ground.t.clock.advance(180_000);
  await ground.t.app.drain();
  assert.deepEqual(await shop.outcomes(id), ["sending", "sending", "sending"]);
  ground.t.clock.advance(15 * 60_000);
  await ground.t.app.drain();
  const unknown = "failed OUTCOME_UNKNOWN";
  assert.deepEqual(await shop.outcomes(id), [unknown, unknown, unknown]);
  assert.equal(ground.graph.sent.length, 0);
});
