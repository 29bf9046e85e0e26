import { OPERATOR } from "../../actor.ts";
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { sql } from "../../db/sql.ts";
import { duplicateBroadcast } from "./copy-broadcast.ts";
import { Shop, startGround, type Ground } from "./campaign.fixture.ts";
import {
  cancelBroadcast,
  pauseBroadcast,
  scheduleBroadcast,
  unscheduleBroadcast,
} from "./change-broadcast.ts";
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

const code = (wanted: string) => (error: unknown) =>
  error instanceof Error && "code" in error && error.code === wanted;

test("a template that is no longer approved, or a missing channel, fails the campaign with the reason", async () => {
  const shop = await Shop.open(ground);
  const [a, b] = [await shop.draft(), await shop.draft()];
  await shop.app.db.query(
    sql`update template set status = 'PAUSED' where workspace_id = ${shop.id}`,
  );
  await shop.start(a.id);
  await ground.t.app.drain();
  assert.equal((await shop.find(a.id)).statusReason, "TEMPLATE_NOT_APPROVED");
  await shop.app.db.query(
    sql`update channel set status = 'disconnected' where workspace_id = ${shop.id}`,
  );
  await shop.start(b.id);
  await ground.t.app.drain();
  const failed = await shop.find(b.id);
  assert.deepEqual([failed.status, failed.statusReason], ["FAILED", "CHANNEL_DISCONNECTED"]);
  await assert.rejects(shop.start(b.id), code("BROADCAST_NOT_STARTABLE"));
});

test("of twenty starts at once one succeeds; of twenty resumes too", async () => {
  const shop = await Shop.open(ground);
  await shop.crowd(1);
  const { id } = await shop.draft({ rateLimitPerMinute: 10 });
  const race = async () => {
    const all = await Promise.allSettled(Array.from({ length: 20 }, () => shop.start(id)));
    const refused = all.filter((one) => one.status === "rejected");
    assert.ok(refused.every((one) => code("BROADCAST_NOT_STARTABLE")(one.reason)));
    // Not the state in which it was when the call came.
    assert.ok(refused.every((one) => !/a (DRAFT|PAUSED)/.test(String(one.reason))));
    return 20 - refused.length;
  };
  assert.equal(await race(), 1);
  await storeChunk(shop.app, shop.key(id));
  assert.equal(await race(), 0);
  await shop.app.db.query(sql`update broadcast set status = 'PAUSED' where id = ${id}`);
  assert.equal(await race(), 1);
  await cancelBroadcast(OPERATOR, shop.app, shop.id, id);
  assert.equal(await race(), 0);
});

test("starting: unknown and foreign campaigns are not found, a suspended workspace is told limit and usage", async () => {
  const [shop, other] = [await Shop.open(ground, { messages: 9 }), await Shop.open(ground)];
  const { id } = await shop.draft();
  await assert.rejects(other.start(id), code("BROADCAST_NOT_FOUND"));
  await assert.rejects(shop.start("nonsense"), code("BROADCAST_NOT_FOUND"));
  await shop.app.db.query(sql`update workspace set suspended_at = now() where id = ${shop.id}`);
  await assert.rejects(shop.start(id), (error: unknown) => {
    assert.ok(code("SUBSCRIPTION_SUSPENDED")(error));
    assert.deepEqual((error as { facts?: unknown }).facts, { limit: 9, usage: 0 });
    return true;
  });
  assert.equal((await shop.find(id)).status, "DRAFT");
});

test("a scheduled campaign starts by itself at its time, and can be unscheduled before", async () => {
  const shop = await Shop.open(ground);
  await shop.crowd(1);
  const soon = () => new Date(ground.t.clock.now().getTime() + 60_000);
  const { id } = await shop.draft({ scheduledAt: soon() });
  await unscheduleBroadcast(OPERATOR, shop.app, shop.id, id);
  await assert.rejects(
    unscheduleBroadcast(OPERATOR, shop.app, shop.id, id),
    code("NOT_ALLOWED_IN_STATE"),
  );
  const now = ground.t.clock.now();
  await assert.rejects(
    scheduleBroadcast(OPERATOR, shop.app, shop.id, id, now),
    code("VALIDATION_FAILED"),
  );
  await scheduleBroadcast(OPERATOR, shop.app, shop.id, id, soon());
  await ground.t.app.drain();
  assert.equal((await shop.find(id)).status, "SCHEDULED");
  ground.t.clock.advance(60_000);
  await ground.t.app.drain();
  assert.equal((await shop.find(id)).status, "COMPLETED");
});

test("started by hand before its day, a campaign by each recipient's time starts now; resumed later it keeps to that time", async () => {
  const shop = await Shop.open(ground);
  await shop.people(
    ["Asia/Tokyo", "America/Los_Angeles"].map((timezone, n) => ({
      phone: `9654000000${n}`,
      attributes: { timezone },
    })),
  );
  const tomorrow = new Date(ground.t.clock.now().getTime() + 24 * 60 * 60_000);
  const byLocalTime = () => shop.draft({ localTime: true, scheduledAt: tomorrow });
  const started = await byLocalTime();
  await shop.start(started.id);
  await ground.t.app.drain();
  assert.deepEqual(await shop.outcomes(started.id), ["sent", "sent"]);
  const over = await shop.find(started.id);
  assert.deepEqual([over.status, over.scheduledAt], ["COMPLETED", null]);
  // Once the copy has a time, it follows each recipient's clock, as it was created to.
  const copy = await duplicateBroadcast(OPERATOR, shop.app, shop.id, started.id);
  assert.deepEqual([copy.localTime, copy.scheduledAt], [true, null]);
  const { id } = await byLocalTime();
  ground.t.clock.advance(23 * 60 * 60_000);
  await ground.t.app.drain();
  assert.deepEqual(await shop.outcomes(id), ["sent", "pending"]);
  await pauseBroadcast(OPERATOR, shop.app, shop.id, id);
  await shop.start(id);
  await ground.t.app.drain();
  assert.deepEqual(await shop.outcomes(id), ["sent", "pending"]);
  await cancelBroadcast(OPERATOR, shop.app, shop.id, id);
});
