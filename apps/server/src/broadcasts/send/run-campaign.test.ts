import { OPERATOR } from "../../actor.ts";
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { receiveEvents } from "../../messages/receive/receive-events.ts";
import { usageSummary } from "../../usage/usage-summary.ts";
import { sql } from "../../db/sql.ts";
import {
  callsByAddress,
  refusal,
  Shop,
  startGround,
  type Ground,
} from "../record/campaign.fixture.ts";
import { cancelBroadcast, pauseBroadcast } from "../record/change-broadcast.ts";
import { selectAbandoned } from "./flight-store.ts";
import { sendBatch } from "./send-batch.ts";
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

test("a campaign is sent to everyone once, shows in the conversation and completes", async () => {
  const shop = await Shop.open(ground);
  await shop.crowd(600);
  const { id } = await shop.draft();
  assert.equal((await shop.start(id)).status, "QUEUED");
  await ground.t.app.drain();
  const done = await shop.checkCounts(id);
  assert.deepEqual(
    [done.status, done.totalCount, done.sentCount, done.failedCount],
    ["COMPLETED", 600, 600, 0],
  );
  assert.equal(callsByAddress(ground.graph.sent).size, 600);
  assert.equal(ground.graph.sent.length, 600);
  assert.deepEqual(await shop.told(), ["DRAFT", "QUEUED", "RUNNING", "COMPLETED"]);
  const [message] = await shop.app.db.query(sql`
    select m.text, m.type, m.source, m.status, m.broadcast_id as broadcast, v.contact_id = m.contact_id as own
    from message m join conversation v on v.workspace_id = m.workspace_id and v.id = m.conversation_id
    where m.workspace_id = ${shop.id} limit 1`);
  assert.deepEqual(message, {
    text: "Hello Sara, your code is A-17",
    type: "template",
    source: "broadcast",
    status: "sent",
    broadcast: id,
    own: true,
  });
  const { usage, period } = await usageSummary(shop.app, shop.id);
  assert.deepEqual([usage.messages, period.sent], [600, 600]);
});

test("platform statuses move the recipient and the counts with the message", async () => {
  const shop = await Shop.open(ground);
  await shop.crowd(4);
  const { id } = await shop.draft();
  await shop.start(id);
  await ground.t.app.drain();
  const [a, b, c] = ground.graph.sent.map((body) => body.biz_opaque_callback_data);
  const tell = (correlationId: string | undefined, status: "delivered" | "read" | "failed") =>
    receiveEvents(shop.app, [
      shop.desk.status({
        correlationId: correlationId ?? "",
        externalMessageId: `x.${correlationId}`,
        status,
        errorCode: status === "failed" ? "131026" : null,
      }),
    ]);
  await tell(a, "read");
  await tell(a, "delivered");
  await tell(b, "delivered");
  await tell(b, "delivered");
  await tell(c, "failed");
  const after = await shop.checkCounts(id);
  assert.deepEqual(
    [after.sentCount, after.deliveredCount, after.readCount, after.failedCount],
    [3, 2, 1, 1],
  );
  await tell(c, "delivered");
  assert.equal((await shop.checkCounts(id)).failedCount, 0);
});

test("the allowance ends in the middle: what it covers is sent, then PAUSED; resumed without loss", async () => {
  const shop = await Shop.open(ground, { messages: 7 });
  await shop.crowd(20);
  const { id } = await shop.draft();
  await shop.start(id);
  await ground.t.app.drain();
  const paused = await shop.checkCounts(id);
  assert.deepEqual(
    [paused.status, paused.statusReason, paused.sentCount],
    ["PAUSED", "MESSAGE_LIMIT_REACHED", 7],
  );
  assert.equal(ground.graph.sent.length, 7);
  assert.equal((await usageSummary(shop.app, shop.id)).usage.messages, 7);
  await shop.app.db.query(
    sql`update workspace set limits = '{"messages": 100}' where id = ${shop.id}`,
  );
  assert.equal((await shop.start(id)).status, "RUNNING");
  await ground.t.app.drain();
  assert.equal((await shop.checkCounts(id)).status, "COMPLETED");
  assert.deepEqual([...new Set(callsByAddress(ground.graph.sent).values())], [1]);
  assert.equal(ground.graph.sent.length, 20);
});

test("a cancelled campaign leaves no message that waits for a retry as sent", async () => {
  const shop = await Shop.open(ground);
  await shop.crowd(2);
  const { id } = await shop.draft();
  ground.graph.answer = () => refusal(400, 130429);
  await shop.start(id);
  await ground.t.app.drain();
  assert.deepEqual(await shop.outcomes(id), ["pending", "pending"]);
  await cancelBroadcast(OPERATOR, shop.app, shop.id, id);
  ground.t.clock.advance(6_000);
  await ground.t.app.drain();
  assert.deepEqual(await shop.outcomes(id), [
    "failed BROADCAST_CANCELLED",
    "failed BROADCAST_CANCELLED",
  ]);
  assert.equal((await shop.checkCounts(id)).status, "CANCELLED");
});

test("of many recipients that wait for a retry in a cancelled campaign, each batch reads only its own", async () => {
  const shop = await Shop.open(ground);
  const { id } = await shop.draft();
  const undone = new Error("as it was before");
  const work = shop.app.db.transaction(async (tx) => {
    await tx.query(sql`update broadcast set status = 'CANCELLED' where id = ${id}`);
    await tx.query(sql`
      with recipient as (
        insert into broadcast_recipient (workspace_id, broadcast_id, contact_id, address, status, message_id)
        select ${shop.id}::uuid, ${id}::uuid, gen_random_uuid(), n, 'pending', gen_random_uuid()
        from generate_series(1, 100) n returning *
      )
      insert into broadcast_again (workspace_id, broadcast_id, contact_id, zone, has_message)
      select workspace_id, broadcast_id, contact_id, '', true from recipient`);
    // Reads of this connection, including what it did before.
    const read = async () => {
      const [row] = await tx.query<{ count: number }>(sql`select idx_tup_fetch::int as count
        from pg_stat_xact_user_tables where relname = 'broadcast_recipient'`);
      return row?.count ?? 0;
    };
    const before = await read();
    const found = await selectAbandoned(tx, 5);
    const ids = found.map((one) => one.messageId);
    assert.deepEqual([ids.length, ids], [5, ids.toSorted()], "in the order of locks");
    assert.equal((await read()) - before, 5);
    throw undone;
  });
  await assert.rejects(work, undone);
});

test("the pace holds: never more than the rate in any minute, and a pause stops at once", async () => {
  const shop = await Shop.open(ground);
  await shop.crowd(100);
  const { id } = await shop.draft({ rateLimitPerMinute: 60 });
  await shop.start(id);
  await storeChunk(shop.app, shop.key(id));
  const at: number[] = [];
  for (let half = 0; half < 150; half++) {
    const before = ground.graph.sent.length;
    while ((await sendBatch(shop.app, shop.key(id))) > 0);
    for (let n = before; n < ground.graph.sent.length; n++) at.push(half);
    ground.t.clock.advance(500);
  }
  for (const from of at) {
    const inMinute = at.filter((one) => one >= from && one < from + 120).length;
    assert.ok(inMinute <= 60, `${inMinute} in one minute`);
  }
  assert.ok(at.length >= 72, `${at.length} in 75 seconds`);
  await pauseBroadcast(OPERATOR, shop.app, shop.id, id);
  const sent = ground.graph.sent.length;
  ground.t.clock.advance(60_000);
  await ground.t.app.drain();
  assert.equal(ground.graph.sent.length, sent);
});
