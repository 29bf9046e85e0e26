import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { sql } from "../db/sql.ts";
import { callsByAddress, refusal, Shop, startGround, type Ground } from "./campaign.fixture.ts";
import { duplicateBroadcast, resendFailed } from "./copy-broadcast.ts";
import { storeAudiences } from "./store-audience.ts";

let ground: Ground;
before(async () => {
  ground = await startGround();
});
after(() => ground[Symbol.asyncDispose]());

test("two resends whose audiences two processes store at once have nobody twice", async () => {
  const shop = await Shop.open(ground);
  const { app } = shop;
  await using other = await ground.another();
  await shop.crowd(4);
  const { id } = await shop.draft();
  ground.graph.answer = () => refusal(400, 131049);
  await shop.start(id);
  await ground.t.app.drain();
  const first = await resendFailed(app, shop.id, id);
  // Of the first one's family too, however it came to be.
  const second = await duplicateBroadcast(app, shop.id, first.id);
  await shop.start(first.id);
  await shop.start(second.id);
  let stored: Promise<unknown> | undefined;
  await app.db.transaction(async (tx) => {
    // Who has stored an audience tells of it before its commit, and waits here.
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
