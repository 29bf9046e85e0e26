import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { sql } from "../db/sql.ts";
import { startTestApp, type TestApp } from "../../test/harness.ts";
import type { Tx } from "../db/database.ts";
import { reserveSlots } from "../usage/reserve-slots.ts";
import { emitEvents } from "./emit-events.ts";
import { listDeliveries } from "./list-deliveries.ts";
import type { NewEvent } from "./event.ts";

let t: TestApp;
before(async () => {
  t = await startTestApp();
});
after(() => t[Symbol.asyncDispose]());

async function workspace(): Promise<string> {
  const id = t.app.ids.next();
  await t.app.db.query(
    sql`insert into workspace (id, name, plan, created_at) values (${id}, 'A', 'free', ${t.clock.now()})`,
  );
  return id;
}

async function endpoint(workspaceId: string, events: string[], disabled = false): Promise<string> {
  const id = t.app.ids.next();
  await t.app.db
    .query(sql`insert into endpoint (workspace_id, id, url, events, secret_sealed, disabled_at, created_at)
    values (${workspaceId}, ${id}, 'https://a.example', ${events}, '\\x00', ${disabled ? t.clock.now() : null}, ${t.clock.now()})`);
  return id;
}

const usage = (workspaceId: string, usage: number): NewEvent => ({
  workspaceId,
  type: "usage.threshold",
  data: { percent: 80, limit: 10, usage, periodStart: "a", periodEnd: "b" },
});

interface Stored {
  sequence: number;
  id: string;
  body: string;
}
const stored = (workspaceId: string) =>
  t.app.db.query<Stored>(
    sql`select sequence, id, body from event where workspace_id = ${workspaceId} order by sequence`,
  );

test("a message's event holds its contact as the storing transaction left it", async () => {
  const id = await workspace();
  const [known, unknown] = [t.app.ids.next(), t.app.ids.next()];
  const told = (contactId: string | null): NewEvent => ({
    workspaceId: id,
    type: "message.status",
    data: {
      messageId: t.app.ids.next(),
      conversationId: null,
      contactId,
      channelId: null,
      channelType: null,
      previousStatus: null,
      status: "failed",
      errorCode: "1",
      errorMessage: null,
      occurredAt: "a",
    },
  });
  await t.app.db.transaction(async (tx) => {
    await tx.query(sql`
      insert into contact (workspace_id, id, name, phone, external_id, search, created_at, updated_at)
      values (${id}, ${known}, 'before', '96550001234', '96550001234', '', ${t.clock.now()}, ${t.clock.now()})`);
    await tx.query(
      sql`update contact set name = ${'Sa"ra \\ سارة'}, phone = null where id = ${known}`,
    );
    await emitEvents(t.app, tx, [told(known), told(null), told(unknown), usage(id, 1)]);
  });
  const bodies = (await stored(id)).map(({ body }) => JSON.parse(body) as { data: object });
  assert.deepEqual(
    bodies.map(({ data }) => ("contact" in data ? data.contact : "none")),
    [
      { id: known, name: 'Sa"ra \\ سارة', phone: null, externalId: "96550001234" },
      null,
      null,
      "none",
    ],
  );
});

test("events of one call are numbered in order within their workspace, without a gap", async () => {
  const [a, b] = [await workspace(), await workspace()];
  const emit = (events: NewEvent[]) => t.app.db.transaction((tx) => emitEvents(t.app, tx, events));
  await emit([usage(a, 1), usage(b, 2), usage(a, 3)]);
  await emit([usage(b, 4)]);
  const bodies = (await stored(a)).map((row) => JSON.parse(row.body) as Record<string, unknown>);
  assert.deepEqual(
    bodies.map((body) => [body["sequence"], (body["data"] as { usage: number }).usage]),
    [
      [1, 1],
      [2, 3],
    ],
  );
  assert.deepEqual(
    (await stored(b)).map((row) => row.sequence),
    [1, 2],
  );
});

test("the body is the contract's, byte for byte", async () => {
  const a = await workspace();
  await t.app.db.transaction((tx) => emitEvents(t.app, tx, [usage(a, 8)]));
  const [row] = await stored(a);
  assert.equal(
    row?.body,
    `{"id":"${row?.id}","type":"usage.threshold","apiVersion":"1.0.0","createdAt":"${t.clock.now().toISOString()}",` +
      `"workspaceId":"${a}","sequence":1,"data":{"percent":80,"limit":10,"usage":8,"periodStart":"a","periodEnd":"b"}}`,
  );
});

test("each endpoint that wants the kind gets a delivery, which is held for a disabled one", async () => {
  const a = await workspace();
  const all = await endpoint(a, []);
  await endpoint(a, ["message.status"]);
  const off = await endpoint(a, ["usage.threshold"], true);
  await endpoint(await workspace(), []);
  await t.app.db.transaction((tx) => emitEvents(t.app, tx, [usage(a, 8)]));
  const states = async (id: string) =>
    (await listDeliveries(t.app, a, id)).items.map((delivery) => delivery.state);
  assert.deepEqual([await states(all), await states(off)], [["pending"], ["held"]]);
  const rows = await t.app.db.query(sql`select 1 from delivery where workspace_id = ${a}`);
  assert.equal(rows.length, 2);
});

test("a test event goes only to its endpoint", async () => {
  const a = await workspace();
  await endpoint(a, []);
  const named = await endpoint(a, ["message.status"]);
  const data = { endpointId: named, occurredAt: t.clock.now().toISOString() };
  await t.app.db.transaction((tx) =>
    emitEvents(t.app, tx, [{ workspaceId: a, type: "endpoint.test", data }]),
  );
  const rows = await t.app.db.query(
    sql`select endpoint_id from delivery where workspace_id = ${a}`,
  );
  assert.deepEqual(rows, [{ endpoint_id: named }]);
});

test("when a transaction fails, its events and their numbers are gone too", async () => {
  const a = await workspace();
  await assert.rejects(
    t.app.db.transaction(async (tx) => {
      await emitEvents(t.app, tx, [usage(a, 1)]);
      throw new Error("no");
    }),
  );
  await t.app.db.transaction((tx) => emitEvents(t.app, tx, [usage(a, 2)]));
  assert.deepEqual(
    (await stored(a)).map((row) => row.sequence),
    [1],
  );
});

test("forty transactions at once over two workspaces leave no gap and no deadlock", async () => {
  const [a, b] = [await workspace(), await workspace()];
  await Promise.all(
    Array.from({ length: 40 }, (_, index) =>
      t.app.db.transaction((tx) =>
        emitEvents(t.app, tx, index % 2 ? [usage(a, 1), usage(b, 1)] : [usage(b, 1), usage(a, 1)]),
      ),
    ),
  );
  const wanted = Array.from({ length: 40 }, (_, index) => index + 1);
  for (const id of [a, b]) {
    const rows = await stored(id);
    assert.deepEqual(
      rows.map((row) => row.sequence),
      wanted,
    );
  }
});

test("two transactions that emit before and after they reserve a slot never wait for each other in a circle", async () => {
  const workspaceId = await workspace();
  const [emitted, reserved] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const emits = (tx: Tx) => emitEvents(t.app, tx, [usage(workspaceId, 80)]);
  const reserves = (tx: Tx) => reserveSlots(tx, t.clock.now(), [{ workspaceId, count: 1 }]);
  let runs = 0;
  await Promise.all([
    t.app.db.transaction(async (tx) => {
      runs++;
      await emits(tx);
      emitted.resolve();
      await reserved.promise;
      await reserves(tx);
    }),
    t.app.db.transaction(async (tx) => {
      runs++;
      await reserves(tx);
      reserved.resolve();
      await emitted.promise;
      await emits(tx);
    }),
  ]);
  assert.equal(runs, 2, "a deadlock made one run again");
  assert.equal((await stored(workspaceId)).length, 2);
});
