import { OPERATOR } from "../actor.ts";
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Shop, startGround, type Ground } from "../broadcasts/record/campaign.fixture.ts";
import { pauseBroadcast } from "../broadcasts/record/change-broadcast.ts";
import { sql } from "../db/sql.ts";
import { json } from "../../test/messaging.ts";
import { runErasureBatch } from "./run-erasures.ts";
import { findErasure, startErasure } from "./start-erasure.ts";

let ground: Ground;
before(async () => void (ground = await startGround()));
after(() => ground[Symbol.asyncDispose]());

const drainErasure = async (id: string) => {
  while (await runErasureBatch(ground.t.app, id));
};

test("a recipient who waits in a campaign is skipped with the reason, and the counts add up at every moment", async () => {
  const shop = await Shop.open(ground);
  const [gone = "", stays = ""] = await shop.crowd(2);
  const made = await shop.draft();
  await shop.start(made.id);
  const storing = ground.t.app.workers.find((worker) => worker.name === "run-broadcasts");
  assert.ok(storing);
  ground.graph.answer = () => json(429, { error: { code: 130429, message: "slow down" } });
  await ground.t.app.drain();
  await pauseBroadcast(OPERATOR, shop.app, shop.id, made.id).catch(() => {});
  const before = await shop.outcomes(made.id);
  assert.deepEqual(before, ["pending", "pending"]);
  const { id } = await startErasure(OPERATOR, shop.app, shop.id, gone);
  while (await runErasureBatch(shop.app, id)) await shop.checkCounts(made.id);
  assert.equal((await findErasure(shop.app, shop.id, id)).state, "done");
  assert.deepEqual(await shop.outcomes(made.id), ["skipped erased", "pending"]);
  assert.equal((await shop.checkCounts(made.id)).totalCount, 2);
  const [row] = await shop.app.db.query(sql`
    select address, content, message_id from broadcast_recipient where contact_id = ${gone}`);
  assert.deepEqual(row, { address: null, content: null, message_id: null });
  // A message that was stored for the first try but never sent counts as failed.
  const [meter] = await shop.app.db.query<{ failed: number }>(sql`
    select failed from usage_day where workspace_id = ${shop.id}`);
  assert.equal(meter?.failed, 1);
  assert.ok(stays);
});

test("the erasure waits for a campaign's open call: its outcome counts, and then its message is removed", async () => {
  const shop = await Shop.open(ground);
  const [gone = ""] = await shop.crowd(1, "9656");
  const calling = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<void>();
  ground.graph.answer = async () => {
    calling.resolve();
    await answer.promise;
    return ground.graph.accepted();
  };
  const made = await shop.draft();
  await shop.start(made.id);
  const running = ground.t.app.drain();
  await calling.promise;
  const { id } = await startErasure(OPERATOR, shop.app, shop.id, gone);
  await drainErasure(id);
  const waiting = await findErasure(shop.app, shop.id, id);
  assert.deepEqual(
    [waiting.state, waiting.step, waiting.waitsFor],
    ["running", "calls", "a call to a platform that is in the air"],
  );
  assert.deepEqual(await shop.outcomes(made.id), ["sending"]);
  answer.resolve();
  await running;
  ground.t.clock.advance(6_000);
  await drainErasure(id);
  assert.equal((await findErasure(shop.app, shop.id, id)).state, "done");
  assert.deepEqual(await shop.outcomes(made.id), ["sent"]);
  const { totalCount, sentCount } = await shop.checkCounts(made.id);
  assert.deepEqual([totalCount, sentCount], [1, 1]);
  assert.deepEqual(
    await shop.app.db.query(sql`select 1 from message where workspace_id = ${shop.id}`),
    [],
  );
});

test("a waiting reply fails and is never sent; the erasure waits for a reply whose call is open", async () => {
  const shop = await Shop.open(ground);
  const { desk } = shop;
  ground.graph.answer = () => ground.graph.accepted();
  const conversation = await desk.hears("96577777777");
  const [person] = await shop.app.db.query<{ id: string }>(sql`
    select contact_id as id from conversation where id = ${conversation}`);
  const calling = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<void>();
  const texts: string[] = [];
  ground.graph.answer = async (_request, { text }) => {
    texts.push(text?.body ?? "");
    calling.resolve();
    await answer.promise;
    return ground.graph.accepted();
  };
  await desk.replies(conversation, "in the air");
  await desk.replies(conversation, "waits");
  const running = ground.t.app.drain();
  await calling.promise;
  const { id } = await startErasure(OPERATOR, shop.app, shop.id, person?.id ?? "");
  await drainErasure(id);
  assert.equal((await findErasure(shop.app, shop.id, id)).step, "calls");
  assert.deepEqual(await desk.moves(), ["sent>failed"]);
  answer.resolve();
  await running;
  ground.t.clock.advance(6_000);
  await ground.t.app.drain();
  assert.equal((await findErasure(shop.app, shop.id, id)).state, "done");
  assert.deepEqual(texts, ["in the air"]);
  assert.deepEqual(await desk.outbox(), []);
});
