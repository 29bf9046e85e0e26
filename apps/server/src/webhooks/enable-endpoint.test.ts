import { OPERATOR } from "../actor.ts";
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startTestApp, type TestApp } from "../../test/harness.ts";
import { bareWorkspace, emitSome } from "../../test/webhook-receiver.ts";
import type { Db } from "../db/database.ts";
import { sql, type Sql } from "../db/sql.ts";
import { createEndpoint } from "./create-endpoint.ts";
import { disableEndpoint } from "./disable-endpoint.ts";
import { enableEndpoint, resumeEnabling } from "./enable-endpoint.ts";
import { findEndpoint, listEndpoints } from "./list-endpoints.ts";
import { hastenBatch, markEnabled } from "./endpoint-store.ts";
import { redeliver } from "./redeliver.ts";

let t: TestApp;
before(async () => {
  t = await startTestApp();
});
after(() => t[Symbol.asyncDispose]());

/** An endpoint for which this many events wait. Every tenth waits for its next try in an hour. */
async function crowded(count: number) {
  const id = await bareWorkspace(t);
  const { id: endpointId } = await createEndpoint(OPERATOR, t.app, id, {
    url: "https://127.0.0.1:9999/",
  });
  await t.app.db.query(sql`
    insert into delivery (workspace_id, endpoint_id, event_sequence, state, attempts, round_failures, next_attempt_at,
      attempted_at, created_at)
    select ${id}, ${endpointId}, n, 'pending', case when n % 10 = 0 then 7 else 0 end,
      case when n % 10 = 0 then 7 else 0 end,
      ${t.clock.now()}::timestamptz + case when n % 10 = 0 then interval '1 hour' else interval '0' end,
      case when n % 10 = 0 then ${t.clock.now()}::timestamptz end, ${t.clock.now()}
    from generate_series(1, ${count}::int) n`);
  await t.app.db.query(
    sql`insert into event_sequence (workspace_id, last) values (${id}, ${count})`,
  );
  return { id, endpointId };
}

/** Records the statements of a run, each with the most milliseconds for which it held its locks. */
function watched(): { db: Db; statements: { text: string; ms: number }[] } {
  const statements: { text: string; ms: number }[] = [];
  const timed = (query: Db["query"]) =>
    (async (statement: Sql) => {
      const begun = performance.now();
      const rows = await query(statement);
      statements.push({ text: statement.text, ms: performance.now() - begun });
      return rows;
    }) as Db["query"];
  const { db } = t.app;
  return {
    statements,
    db: {
      ...db,
      query: timed((statement) => db.query(statement)),
      transaction: (work) =>
        db.transaction((tx) => work({ ...tx, query: timed((statement) => tx.query(statement)) })),
    },
  };
}

/** The number of deliveries that a claim would find due now. */
async function due(id: string): Promise<number> {
  const [row] = await t.app.db.query<{ n: number }>(sql`select count(*) as n from delivery
    where workspace_id = ${id} and state = 'pending' and next_attempt_at <= ${t.clock.now()}`);
  return row?.n ?? 0;
}

test("100,000 waiting: disabling writes one row, enabling one and in batches those between two tries", async () => {
  const { id, endpointId } = await crowded(100_000);
  const off = watched();
  await disableEndpoint(OPERATOR, { ...t.app, db: off.db }, id, endpointId);
  // One for the endpoint, one for the audit, one for the event, which is not its own.
  assert.equal(off.statements.length, 3);
  assert.ok(off.statements.every(({ text }) => !/(update|delete from) delivery/.test(text)));
  t.clock.advance(60_000);
  const on = watched();
  await enableEndpoint(OPERATOR, { ...t.app, db: on.db }, id, endpointId);
  // One for the endpoint, one for the audit, ten full batches of a thousand, and one that finds no more.
  assert.equal(on.statements.length, 13);
  const longest = Math.max(...on.statements.map(({ ms }) => ms));
  assert.ok(longest < 10_000, `one transaction took ${longest} ms`);
  assert.equal(await due(id), 100_000);
  const [endpoint] = await t.app.db.query(
    sql`select disabled_at, hastening from endpoint where id = ${endpointId}`,
  );
  assert.deepEqual(endpoint, { disabled_at: null, hastening: false });
});

test("deliveries that waited for their next try go out in their old place, not behind those never tried", async () => {
  const { id, endpointId } = await crowded(30);
  await disableEndpoint(OPERATOR, t.app, id, endpointId);
  t.clock.advance(60_000);
  await enableEndpoint(OPERATOR, t.app, id, endpointId);
  const rows = await t.app.db.query<{ sequence: number }>(sql`
    select event_sequence as sequence from delivery where workspace_id = ${id}
    order by next_attempt_at, event_sequence`);
  assert.deepEqual(
    rows.map(({ sequence }) => sequence),
    Array.from({ length: 30 }, (_, n) => n + 1),
  );
});

test("once an endpoint reads as enabled, deliveries that waited for their next try are due", async () => {
  const { id, endpointId } = await crowded(30);
  await disableEndpoint(OPERATOR, t.app, id, endpointId);
  t.clock.advance(60_000);
  // What a lane would see after the first statement outside a transaction, or after the transaction.
  const seen: number[] = [];
  const db: Db = {
    ...t.app.db,
    query: (async (statement: Sql) => {
      const rows = await t.app.db.query(statement);
      seen.push(await due(id));
      return rows;
    }) as Db["query"],
    transaction: async (work) => {
      const result = await t.app.db.transaction(work);
      seen.push(await due(id));
      return result;
    },
  };
  await enableEndpoint(OPERATOR, { ...t.app, db }, id, endpointId);
  assert.deepEqual(seen, [30]);
});

test("while one endpoint is being enabled, emitting events and sending to others do not wait", async () => {
  const { id, endpointId } = await crowded(5_000);
  await disableEndpoint(OPERATOR, t.app, id, endpointId);
  await t.app.db.transaction(async (tx) => {
    await markEnabled(tx, id, endpointId, t.clock.now());
    await hastenBatch(tx, id, endpointId, 1_000);
    // While the transaction is still open, an event of the same workspace is stored.
    await emitSome(t, id);
  });
});

test("the next process finishes an enabling that was killed half way", async () => {
  const { id, endpointId } = await crowded(3_000);
  await disableEndpoint(OPERATOR, t.app, id, endpointId);
  t.clock.advance(1_000);
  await markEnabled(t.app.db, id, endpointId, t.clock.now());
  assert.equal(await hastenBatch(t.app.db, id, endpointId, 100), 100);
  // The process is killed here.
  assert.equal(await resumeEnabling(t.app), 200);
  assert.equal(await due(id), 3_000);
  assert.equal(await resumeEnabling(t.app), 0);
});

test("enabling an enabled endpoint moves nothing, and later failures keep their schedule", async () => {
  const { id, endpointId } = await crowded(100);
  await enableEndpoint(OPERATOR, t.app, id, endpointId);
  assert.equal(await due(id), 90);
});

test("sending 30,000 again takes a thousand in each transaction, and locks no other row", async () => {
  const { id, endpointId } = await crowded(30_000);
  await t.app.db
    .query(sql`update delivery set state = 'delivered', attempts = 1, attempted_at = ${t.clock.now()},
    duration_ms = 5, status_code = 204 where workspace_id = ${id}`);
  t.clock.advance(1_000);
  const again = watched();
  const which = { since: new Date(0), delivered: true };
  const count = await redeliver(OPERATOR, { ...t.app, db: again.db }, id, endpointId, which);
  assert.equal(count, 30_000);
  const batches = again.statements.filter(({ text }) => text.includes("update delivery"));
  // Thirty full ones, one that finds no more, and one that finds none waiting for a later try.
  assert.equal(batches.length, 32);
  const longest = Math.max(...batches.map(({ ms }) => ms));
  assert.ok(longest < 10_000, `one transaction took ${longest} ms`);
  assert.equal(await due(id), 30_000);
  const [row] = await t.app.db.query<{ n: number }>(
    sql`select count(*) as n from delivery_attempt where workspace_id = ${id} and failure is null`,
  );
  assert.equal(row?.n, 30_000, "what was acknowledged stays in the log");
});

test("disabling and enabling one endpoint clears its count, and leaves the workspace's others as they are", async () => {
  const id = await bareWorkspace(t);
  const [one, two] = await Promise.all(
    ["a", "b"].map((path) =>
      createEndpoint(OPERATOR, t.app, id, {
        url: `https://127.0.0.1:9999/${path}`,
        events: ["usage.threshold"],
      }),
    ),
  );
  assert.ok(one && two);
  await emitSome(t, id, 1);
  await t.app.db.query(sql`update endpoint set consecutive_failures = 20 where id = ${one.id}`);
  await t.app.db.query(sql`update delivery set attempts = 1, attempted_at = ${t.clock.now()},
    next_attempt_at = ${t.clock.now()}::timestamptz + interval '1 hour' where workspace_id = ${id}`);
  await disableEndpoint(OPERATOR, t.app, id, one.id);
  const enabled = (await listEndpoints(t.app, id)).filter((each) => each.disabledAt === null);
  assert.deepEqual(
    enabled.map((each) => each.id),
    [two.id],
  );
  t.clock.advance(1_000);
  assert.equal((await enableEndpoint(OPERATOR, t.app, id, one.id)).consecutiveFailures, 0);
  assert.equal(await due(id), 1, "what waits for the other goes on waiting");
  // It is enabled already, so its round of retries goes on.
  await t.app.db.query(sql`update delivery set attempts = 2, attempted_at = ${t.clock.now()},
    next_attempt_at = ${t.clock.now()}::timestamptz + interval '1 hour' where workspace_id = ${id}`);
  await disableEndpoint(OPERATOR, t.app, id, two.id);
  t.clock.advance(1_000);
  const round = () =>
    t.app.db.query(sql`select enabled_at from endpoint where workspace_id = ${id} order by id`);
  const begun = await round();
  await enableEndpoint(OPERATOR, t.app, id, one.id);
  assert.deepEqual(await round(), begun);
  assert.notEqual((await findEndpoint(t.app, id, two.id)).disabledAt, null);
  assert.equal(await due(id), 0);
});
