import { OPERATOR } from "../../actor.ts";
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import type { Db } from "../../db/database.ts";
import { sql } from "../../db/sql.ts";
import { receiveEvents } from "../../messages/receive/receive-events.ts";
import { broadcastTimeline } from "../record/broadcast-timeline.ts";
import { Shop, startGround, type Ground } from "../record/campaign.fixture.ts";
import { cancelBroadcast } from "../record/change-broadcast.ts";
import { resendFailed } from "../record/copy-broadcast.ts";
import { resendUnknown } from "./resend-unknown.ts";

let ground: Ground;

before(async () => {
  ground = await startGround();
});

after(() => ground[Symbol.asyncDispose]());

beforeEach(() => {
  ground.graph.sent.length = 0;
  ground.graph.answer = () => ground.graph.accepted();
});

test("a lost answer waits 15 minutes, then is listed as unknown; a person can send again", async () => {
  const shop = await Shop.open(ground);
  await shop.crowd(3);
  const { id } = await shop.draft();
  ground.graph.answer = (_, body) =>
    body.to.endsWith("0")
      ? ground.graph.accepted()
      : { status: 500, headers: {}, body: Buffer.from("?") };
  await shop.start(id);
  await ground.t.app.drain();
  assert.deepEqual(await shop.outcomes(id), ["sent", "sending", "sending"]);
  // The platform reports one of them: it had arrived.
  const [, heard] = ground.graph.sent;
  await receiveEvents(shop.app, [
    shop.desk.status({
      correlationId: heard?.biz_opaque_callback_data ?? "",
      externalMessageId: "wamid.heard",
      status: "sent",
    }),
  ]);
  ground.t.clock.advance(15 * 60_000 - 1);
  await ground.t.app.drain();
  const words = await shop.outcomes(id);
  assert.deepEqual(words.toSorted(), ["sending", "sent", "sent"]);
  ground.t.clock.advance(5_001);
  await ground.t.app.drain();
  assert.deepEqual((await shop.outcomes(id)).toSorted(), [
    "failed OUTCOME_UNKNOWN",
    "sent",
    "sent",
  ]);
  const failed = (await shop.desk.events("message.status")).filter(
    (data) => data["status"] === "failed",
  );
  assert.deepEqual(
    failed.map((data) => data["errorCode"]),
    ["OUTCOME_UNKNOWN"],
  );
  assert.equal((await shop.checkCounts(id)).status, "COMPLETED");
  assert.equal(ground.graph.sent.length, 3);
  ground.graph.answer = () => ground.graph.accepted();
  assert.equal(await resendUnknown(OPERATOR, shop.app, shop.id, id), 1);
  await ground.t.app.drain();
  assert.deepEqual(await shop.outcomes(id), ["sent", "sent", "sent"]);
  const done = await shop.checkCounts(id);
  assert.equal(done.status, "COMPLETED");
  // Nobody is left to send to again: a second call changes nothing.
  ground.t.clock.advance(60_000);
  const { entries } = await broadcastTimeline(shop.app, shop.id, id, "day");
  assert.equal(await resendUnknown(OPERATOR, shop.app, shop.id, id), 0);
  assert.deepEqual(await shop.find(id), done);
  assert.deepEqual((await broadcastTimeline(shop.app, shop.id, id, "day")).entries, entries);
});

test("thousands of unknown outcomes are reopened in batches; after an interruption a person asks again for the rest", async () => {
  const shop = await Shop.open(ground);
  await shop.crowd(1);
  const { id } = await shop.draft();
  await shop.start(id);
  await ground.t.app.drain();
  const { db } = shop.app;
  await db.query(sql`
    insert into broadcast_recipient (workspace_id, broadcast_id, contact_id, status, reason)
    select ${shop.id}, ${id}, lpad(to_hex(n), 32, '0')::uuid, 'failed', 'OUTCOME_UNKNOWN' from generate_series(1, 2500) n`);
  await db.query(sql`
    update broadcast set total_count = total_count + 2500, failed_count = 2500 where id = ${id}`);
  let begun = 0;
  const transaction: Db["transaction"] = (work) => {
    begun += 1;
    if (begun === 2) throw new Error("killed");
    return db.transaction(work);
  };
  const broken = { ...shop.app, db: Object.assign(Object.create(db) as Db, { transaction }) };
  await assert.rejects(resendUnknown(OPERATOR, broken, shop.id, id), /killed/);
  const found = await shop.find(id);
  assert.deepEqual([found.status, found.failedCount], ["RUNNING", 1_500]);
  assert.equal(await resendUnknown(OPERATOR, shop.app, shop.id, id), 1_500);
  assert.equal((await shop.find(id)).failedCount, 0);
  const audit = await db.query<{ count: number }>(sql`
    select (facts ->> 'count')::int as count from audit_entry where workspace_id = ${shop.id}
      and action = 'broadcast.resend_unknown' order by id`);
  assert.deepEqual(
    audit.map(({ count }) => count),
    [1_000, 1_000, 500],
  );
  const [waiting] = await db.query(sql`
    select count(*)::int as n, count(distinct contact_id)::int as different from broadcast_again where broadcast_id = ${id}`);
  assert.deepEqual(waiting, { n: 2_500, different: 2_500 });
  await cancelBroadcast(OPERATOR, shop.app, shop.id, id);
});

test("a resend that a person asks for sends to unknown outcomes of a cancelled campaign, but not to waiting recipients", async () => {
  const shop = await Shop.open(ground);
  await shop.crowd(6);
  const { id } = await shop.draft({ rateLimitPerMinute: 180 });
  ground.graph.answer = (_, { to }) =>
    to.endsWith("0")
      ? ground.graph.accepted()
      : { status: 500, headers: {}, body: Buffer.from("?") };
  await shop.start(id);
  await ground.t.app.drain();
  const refused = { code: "NOT_ALLOWED_IN_STATE" };
  const again = () => resendFailed(OPERATOR, shop.app, shop.id, id, { unknown: true });
  await cancelBroadcast(OPERATOR, shop.app, shop.id, id);
  ground.t.clock.advance(16 * 60_000);
  await ground.t.app.drain();
  const waiting = Array<string>(4).fill("pending");
  assert.deepEqual(await shop.outcomes(id), ["sent", "failed OUTCOME_UNKNOWN", ...waiting]);
  await assert.rejects(resendUnknown(OPERATOR, shop.app, shop.id, id), {
    ...refused,
    message: /resend-failed with unknown/,
  });
  await assert.rejects(resendFailed(OPERATOR, shop.app, shop.id, id), {
    code: "VALIDATION_FAILED",
  });
  ground.graph.answer = () => ground.graph.accepted();
  ground.graph.sent.length = 0;
  const [first, second] = [await again(), await again()];
  for (const { id: copy } of [first, second]) {
    await shop.start(copy);
    await ground.t.app.drain();
    assert.equal((await shop.checkCounts(copy)).status, "COMPLETED");
  }
  assert.deepEqual(
    ground.graph.sent.map(({ to }) => to.slice(-1)),
    ["1"],
  );
  assert.equal((await shop.checkCounts(id)).status, "CANCELLED");
  // A campaign that is not cancelled sends to them itself, and they must not get it twice.
  await assert.rejects(
    resendFailed(OPERATOR, shop.app, shop.id, first.id, { unknown: true }),
    refused,
  );
  const audit = await shop.app.db.query<{ subject: string }>(sql`
    select subject from audit_entry where workspace_id = ${shop.id} and action = 'broadcast.resend_unknown'`);
  assert.deepEqual(
    audit.map(({ subject }) => subject),
    [id, id],
  );
});
