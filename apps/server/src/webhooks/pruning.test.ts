import { OPERATOR } from "../actor.ts";
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import type { TestApp } from "../../test/harness.ts";
import { bad, bareWorkspace, emitSome, type Receiver } from "../../test/webhook-receiver.ts";
import { sql, Sql } from "../db/sql.ts";
import { createEndpoint } from "./create-endpoint.ts";
import { byIndexAlone } from "./delivery-store.ts";
import { disableEndpoint } from "./disable-endpoint.ts";
import { enableEndpoint } from "./enable-endpoint.ts";
import { pruneEvents } from "./prune-events.ts";
import { deleteEvents } from "./prune-store.ts";
import { startWebhookStand, type WebhookStand } from "./webhook.fixture.ts";

const DAY_MS = 24 * 60 * 60 * 1_000;

let t: TestApp;
let receiver: Receiver;
let stand: WebhookStand;
before(async () => void ({ t, receiver } = stand = await startWebhookStand()));
after(() => stand[Symbol.asyncDispose]());
beforeEach(() => stand.calm());

test("events, deliveries and attempts older than 30 days are deleted, and younger ones stay", async () => {
  const id = await bareWorkspace(t);
  await createEndpoint(OPERATOR, t.app, id, { url: `${receiver.base}/old` });
  receiver.answers.set("/old", bad);
  await emitSome(t, id, 3);
  await t.app.drain();
  receiver.answers.delete("/old");
  t.clock.advance(60_000);
  await t.app.drain();
  const count = async (table: Sql) =>
    (await t.app.db.query(sql`select 1 from ${table} where workspace_id = ${id}`)).length;
  assert.equal(await count(sql`delivery_attempt`), 1);
  t.clock.advance(30 * 24 * 60 * 60 * 1_000 + 1);
  await emitSome(t, id, 1);
  await t.app.drain();
  while ((await pruneEvents(t.app, 2)) > 0);
  const left = [await count(sql`event`), await count(sql`delivery`)];
  assert.deepEqual([...left, await count(sql`delivery_attempt`)], [1, 1, 0]);
});

test("a held delivery can be sent after 29 days and 23 hours, and is gone after 30 days", async () => {
  const id = await bareWorkspace(t);
  const endpoint = await createEndpoint(OPERATOR, t.app, id, { url: `${receiver.base}/month` });
  await disableEndpoint(OPERATOR, t.app, id, endpoint.id);
  await emitSome(t, id, 3);
  t.clock.advance(60 * 60 * 1_000);
  await emitSome(t, id, 2);
  t.clock.advance(30 * DAY_MS - 30 * 60 * 1_000);
  while ((await pruneEvents(t.app, 1_000)) > 0);
  await enableEndpoint(OPERATOR, t.app, id, endpoint.id);
  await t.app.drain();
  const sequences = receiver.received.map(
    (one) => (JSON.parse(one.body) as { sequence: number }).sequence,
  );
  assert.deepEqual(
    sequences.toSorted((a, b) => a - b),
    // The first number is that of the event that the endpoint was disabled.
    [5, 6],
  );
});

test("pruning reads by its indexes and deletes no more than a batch", async () => {
  const id = await bareWorkspace(t);
  await createEndpoint(OPERATOR, t.app, id, { url: `${receiver.base}/many` });
  await emitSome(t, id, 2_500);
  await t.app.db.query(new Sql(["vacuum analyze event, delivery, delivery_attempt"], []));
  const last = "ffffffff-ffff-7fff-bfff-ffffffffffff";
  const plan = await t.app.db.transaction(async (tx) => {
    await byIndexAlone(tx);
    const lines: string[] = [];
    const query = async <Row extends object>(statement: Sql): Promise<Row[]> => {
      const [first = "", ...rest] = statement.strings;
      const explained = new Sql([`explain ${first}`, ...rest], statement.values);
      for (const row of await tx.query(explained)) lines.push(String(Object.values(row)[0]));
      return [];
    };
    await deleteEvents({ ...tx, query }, last, 1_000);
    return lines.join("\n");
  });
  assert.match(plan, /event_by_id/);
  assert.doesNotMatch(plan, /Seq Scan/);
  const counts: number[] = [];
  await t.app.db.transaction(async (tx) => {
    await byIndexAlone(tx);
    await tx.query(sql`delete from delivery where workspace_id <> ${id}`);
    await tx.query(sql`delete from event where workspace_id <> ${id}`);
    for (let count = 1; count > 0;) counts.push((count = await deleteEvents(tx, last, 1_000)));
  });
  assert.deepEqual(counts, [1_000, 1_000, 500, 0]);
});

test("pruning looks up an endpoint once for a batch, not once for each event", async () => {
  const id = await bareWorkspace(t);
  await createEndpoint(OPERATOR, t.app, id, { url: `${receiver.base}/one-of-many` });
  await emitSome(t, id, 1_000);
  await t.app.db.query(sql`
    insert into endpoint (workspace_id, id, url, events, secret_sealed, created_at)
    select ${id}, gen_random_uuid(), ${receiver.base}, '{otp.sent}', '', ${t.clock.now()} from generate_series(1, 500)`);
  // Deliveries of other events that the endpoint got.
  await t.app.db.query(sql`
    insert into delivery (workspace_id, endpoint_id, event_sequence, state, next_attempt_at, created_at)
    select workspace_id, id, 1000000 + n, 'delivered', created_at, created_at
    from endpoint, generate_series(1, 100) n where workspace_id = ${id}`);
  await t.app.db.query(new Sql(["vacuum analyze event, delivery, endpoint"], []));
  const last = "ffffffff-ffff-7fff-bfff-ffffffffffff";
  const pages = await t.app.db.transaction(async (tx) => {
    await byIndexAlone(tx);
    const looked = async () => {
      const [row] = await tx.query<{ pages: number }>(sql`
        select (pg_stat_get_xact_blocks_fetched('delivery'::regclass)
          + pg_stat_get_xact_blocks_fetched('delivery_pkey'::regclass))::float as pages`);
      return row?.pages ?? 0;
    };
    const before = await looked();
    assert.equal(await deleteEvents(tx, last, 1_000), 1_000);
    return (await looked()) - before;
  });
  assert.ok(pages > 1_000 && pages <= 20_000, `${pages} pages`);
});
