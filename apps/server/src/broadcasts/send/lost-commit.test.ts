import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Cable } from "../../../test/cable.ts";
import type { Context } from "../../context.ts";
import { openDatabase, type Db } from "../../db/database.ts";
import { sql } from "../../db/sql.ts";
import { LostCommit } from "../../lib/lost-commit.ts";
import { callsByAddress, Shop, startGround, type Ground } from "../record/campaign.fixture.ts";
import { sendBatch } from "./send-batch.ts";
import { storeChunk } from "../audience/store-chunk.fixture.ts";

let ground: Ground;
let cable: Cable;
let db: Db;
before(async () => {
  ground = await startGround();
  cable = await Cable.lay(ground.t.databaseUrl);
  db = openDatabase({ connectionString: cable.url });
});
after(async () => {
  await db.close();
  await cable[Symbol.asyncDispose]();
  await ground[Symbol.asyncDispose]();
});

test("a batch with a committed intent and a lost answer is put back at once: each is called once, for one slot", async () => {
  const shop = await Shop.open(ground);
  await shop.crowd(4);
  const { id } = await shop.draft();
  await shop.start(id);
  await storeChunk(shop.app, shop.key(id));
  // Its number is known from now on.
  await sendBatch(shop.app, shop.key(id), 1);
  const behind: Context = { ...shop.app, db };
  cable.cuts = 0;
  cable.cutAtCommit = true;
  await assert.rejects(sendBatch(behind, shop.key(id)), LostCommit);
  assert.equal(cable.cuts, 1);
  assert.equal(ground.graph.sent.length, 1);
  assert.deepEqual(await shop.outcomes(id), ["sent", "pending", "pending", "pending"]);
  await ground.t.app.drain();
  const done = await shop.checkCounts(id);
  assert.deepEqual([done.status, done.sentCount], ["COMPLETED", 4]);
  assert.deepEqual([...callsByAddress(ground.graph.sent).values()], [1, 1, 1, 1]);
  const [stored] = await shop.app.db.query(sql`
    select (select count(*)::int from message where workspace_id = ${shop.id}) as messages,
      (select count(*)::int from broadcast_flight where workspace_id = ${shop.id}) as flights,
      (select sum(sent)::int from usage_day where workspace_id = ${shop.id}) as slots`);
  assert.deepEqual(stored, { messages: 4, flights: 0, slots: 4 });
});
