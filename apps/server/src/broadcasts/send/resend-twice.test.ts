import { OPERATOR } from "../../actor.ts";
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Sql, sql } from "../../db/sql.ts";
import {
  callsByAddress,
  refusal,
  Shop,
  startGround,
  type Ground,
} from "../record/campaign.fixture.ts";
import { audienceOf } from "../audience/audience-of.ts";
import { duplicateBroadcast, resendFailed } from "../record/copy-broadcast.ts";
import { findBroadcast } from "../record/find-broadcast.ts";
import { storeAudiences } from "../audience/store-audience.ts";

let ground: Ground;
before(async () => {
  ground = await startGround();
});
after(() => ground[Symbol.asyncDispose]());

test("two resends whose audiences two processes store at once share nobody", async () => {
  const shop = await Shop.open(ground);
  const { app } = shop;
  await using other = await ground.another();
  await shop.crowd(4);
  const { id } = await shop.draft();
  ground.graph.answer = () => refusal(400, 131049);
  await shop.start(id);
  await ground.t.app.drain();
  const first = await resendFailed(OPERATOR, app, shop.id, id);
  // Of the first one's family too, however it was created.
  const second = await duplicateBroadcast(OPERATOR, app, shop.id, first.id);
  await shop.start(first.id);
  await shop.start(second.id);
  let stored: Promise<unknown> | undefined;
  await app.db.transaction(async (tx) => {
    // The process that has stored an audience says so before its commit, and waits here.
    await tx.query(
      sql`select from event_sequence where workspace_id = ${shop.id} for no key update`,
    );
    stored = Promise.all([storeAudiences(app), storeAudiences(other)]);
    for (let waiting = 0; waiting < 2;) {
      const [row] = await app.db.query<{ n: number }>(sql`select count(*) as n from pg_stat_activity
        where wait_event_type = 'Lock' and datname = current_database()`);
      waiting = row?.n ?? 0;
    }
  });
  await stored;
  ground.graph.answer = () => ground.graph.accepted();
  ground.graph.sent.length = 0;
  await app.drain();
  const totals = [first, second].map(async (one) => (await shop.checkCounts(one.id)).totalCount);
  assert.deepEqual(
    (await Promise.all(totals)).toSorted((a, b) => a - b),
    [0, 4],
  );
  assert.deepEqual([...callsByAddress(ground.graph.sent).values()], [1, 1, 1, 1]);
});

test("failed recipients are looked up one by one, also while the statistics have none", async () => {
  const shop = await Shop.open(ground);
  const { app } = shop;
  const people = 500;
  await shop.crowd(people);
  const { id } = await shop.draft();
  await app.db.query(sql`
    insert into broadcast_recipient (workspace_id, broadcast_id, contact_id, address, status)
    select workspace_id, ${id}, id, phone, 'read' from contact where workspace_id = ${shop.id}`);
  await shop.crowd(1_000, "9656");
  await app.db.query(new Sql(["vacuum analyze contact, contact_alias, broadcast_recipient"], []));
  await app.db.query(sql`
    update broadcast_recipient set status = 'failed', reason = '131049'
    where workspace_id = ${shop.id} and broadcast_id = ${id}`);
  await app.db.query(sql`
    update broadcast set status = 'COMPLETED', failed_count = ${people}
    where workspace_id = ${shop.id} and id = ${id}`);
  const resend = await findBroadcast(
    app,
    shop.id,
    (await resendFailed(OPERATOR, app, shop.id, id)).id,
  );
  const [row] = await app.db.transaction(async (tx) => {
    const audience = await audienceOf({ ...app, db: tx }, resend);
    assert.ok(audience);
    const [found] = await tx.query<{ count: number }>(sql`
      select count(*) from contact c where c.workspace_id = ${shop.id} and (${audience})`);
    assert.equal(found?.count, people);
    return tx.query<{ looks: number }>(sql`
      select pg_stat_get_xact_numscans('contact_alias_by_contact'::regclass)::int as looks`);
  });
  assert.ok(row && row.looks > 0 && row.looks <= people * 3 + 3, `${row?.looks} looks for aliases`);
});
