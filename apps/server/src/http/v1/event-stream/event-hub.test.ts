import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startTestApp, type TestApp } from "../../../../test/harness.ts";
import { bareWorkspace, emitSome } from "../../../../test/webhook-receiver.ts";
import type { Principal } from "../../../api-keys/api-key.ts";
import type { Context } from "../../../context.ts";
import { sql, type Sql } from "../../../db/sql.ts";
import { SlowReader } from "../../connections/slow-reader.fixture.ts";
import { EVENT_HUB_LIMITS, EventHub, type EventHubLimits } from "./event-hub.ts";

let t: TestApp;
before(async () => (t = await startTestApp()));
after(() => t[Symbol.asyncDispose]());

/** Pings and looks at keys only when a test asks: the hub's own second would count as a statement of the test. */
const limits = (more: Partial<EventHubLimits> = {}): EventHubLimits => ({
  ...EVENT_HUB_LIMITS,
  pingMs: Infinity,
  keysMs: Infinity,
  ...more,
});
const principal = (workspaceId: string): Principal => ({
  workspaceId,
  keyId: t.app.ids.next(),
  publicKey: "pk",
  scopes: [],
});

test("a stuck reader is awaited with a bounded buffer, then cut off", async () => {
  const id = await bareWorkspace(t);
  await emitSome(t, id, 2_000);
  const hub = new EventHub(t.app, limits({ patienceMs: -1 }));
  const reader = new SlowReader();
  reader.stuck = true;
  const stream = hub.add({ principal: principal(id), types: null }, 0, reader);
  while (reader.writableLength < 16_384) await hub.look();
  for (let turn = 0; turn < 5; turn++) await hub.look();
  assert.ok(reader.writableLength < 80 * 1024, `${reader.writableLength} bytes wait`);
  assert.ok(stream.place < 2_000, "it does not read on for nobody");
  hub.tick();
  assert.deepEqual([hub.size, reader.destroyed], [0, true]);
});

test("a slow reader that reads on gets everything in order, once", async () => {
  const id = await bareWorkspace(t);
  await emitSome(t, id, 350);
  const hub = new EventHub(t.app, limits());
  const reader = new SlowReader();
  reader.stuck = true;
  hub.add({ principal: principal(id), types: null }, 0, reader);
  while (reader.writableLength < 16_384) await hub.look();
  reader.release();
  await reader.heard("id: 350\n");
  const ids = [...reader.text.matchAll(/^id: (\d+)$/gm)].map(([, one]) => Number(one));
  assert.deepEqual(
    ids,
    Array.from({ length: 351 }, (_, index) => index),
  );
  hub.close();
});

test("idle streams cost one statement together, and only streams that are behind read", async () => {
  let statements = 0;
  const query = <Row extends object>(statement: Sql) => {
    statements++;
    return t.app.db.query<Row>(statement);
  };
  // No wake: every look but the first is made by this test.
  const wake = { ...t.app.wake, nudges: () => 0, wait: () => new Promise<void>(() => {}) };
  const context: Context = { ...t.app, wake, db: { ...t.app.db, query } };
  const hub = new EventHub(context, limits());
  const ids = [];
  for (let index = 0; index < 20; index++) ids.push(await bareWorkspace(t));
  const readers = ids.map((id) => {
    const reader = new SlowReader();
    hub.add({ principal: principal(id), types: null }, 0, reader);
    return reader;
  });
  for (let turn = 0; turn < 3; turn++) await hub.look();
  await new Promise((resolve) => setImmediate(resolve));
  // Until the first reads are over: no more is asked while others take their time.
  for (let before = -1; statements < 24 || statements !== before;) {
    before = statements;
    for (let turn = 0; turn < 20; turn++) await t.app.db.query(sql`select 1`);
  }
  statements = 0;
  for (let turn = 0; turn < 5; turn++) await hub.look();
  assert.equal(statements, 5);
  await emitSome(t, ids[7] ?? "", 1);
  await hub.look();
  await readers[7]?.heard("id: 1\n");
  assert.equal(statements, 7, "one look, one read");
  hub.close();
  assert.equal(hub.size, 0);
});

test("a thousand streams of one workspace get an event with one read; those of many workspaces with few reads at a time", async () => {
  let [statements, open, most] = [0, 0, 0];
  const query = async <Row extends object>(statement: Sql) => {
    statements++;
    most = Math.max(most, ++open);
    try {
      return await t.app.db.query<Row>(statement);
    } finally {
      open--;
    }
  };
  // Looks only when it is told to.
  const wake = { ...t.app.wake, nudges: () => 0, wait: () => new Promise<void>(() => {}) };
  const context: Context = { ...t.app, wake, db: { ...t.app.db, query } };
  const hub = new EventHub(context, limits());
  const id = await bareWorkspace(t);
  const many: string[] = [];
  for (let index = 0; index < 30; index++) many.push(await bareWorkspace(t));
  const readers = Array.from({ length: 1_000 }, (_, index) => {
    const reader = new SlowReader();
    const workspaceId = many[index - 970] ?? id;
    hub.add({ principal: principal(workspaceId), types: null }, 0, reader);
    return reader;
  });
  await Promise.all(readers.map((reader) => reader.heard("event: open")));
  while (statements < 1 + 1 + 30 || open > 0) await t.app.db.query(sql`select 1`);
  statements = 0;
  most = 0;
  await emitSome(t, id, 1);
  await hub.look();
  await Promise.all(readers.slice(0, 970).map((reader) => reader.heard("id: 1\n")));
  assert.equal(statements, 2, "one look, one read");
  for (const workspaceId of many) await emitSome(t, workspaceId, 1);
  await hub.look();
  await Promise.all(readers.map((reader) => reader.heard("id: 1\n")));
  assert.equal(statements, 2 + 1 + 30);
  assert.equal(most, 3, "others find connections");
  hub.close();
});

test("skipped events count too: a comment brings the place, and a reader comes back to it", async () => {
  const id = await bareWorkspace(t);
  await emitSome(t, id, 5);
  const hub = new EventHub(t.app, limits());
  const reader = new SlowReader();
  const stream = hub.add({ principal: principal(id), types: ["otp.status"] }, 0, reader);
  while (stream.place < 5) await hub.look();
  hub.ping();
  await reader.heard(": ping\nid: 5\n\n");
  hub.close();
});

test("a full process refuses a new stream, and so does one that stops", async () => {
  const id = await bareWorkspace(t);
  const hub = new EventHub(t.app, limits({ perProcess: 1 }));
  hub.admit(principal(id));
  hub.add({ principal: principal(id), types: null }, 0, new SlowReader());
  assert.throws(() => hub.admit(principal(id)), { code: "OVERLOADED" });
  hub.close();
  assert.equal(hub.size, 0);
  assert.throws(() => hub.admit(principal(id)), { code: "OVERLOADED" });
});

test("a workspace has a fixed number of streams, whatever its number of keys; a key's oldest still makes room", async () => {
  const [id, other] = [await bareWorkspace(t), await bareWorkspace(t)];
  const hub = new EventHub(t.app, limits({ perKey: 2, perWorkspace: 4 }));
  const keys = [principal(id), principal(id), principal(id)];
  const open = (owner: Principal) => {
    hub.admit(owner);
    hub.add({ principal: owner, types: null }, 0, new SlowReader());
  };
  const [first = assert.fail(), second = assert.fail(), third = assert.fail()] = keys;
  for (const owner of [first, first, second, second]) open(owner);
  assert.throws(() => open(third), /RATE_LIMITED|event streams open/);
  open(first);
  assert.equal(hub.size, 4);
  open(principal(other));
  assert.equal(hub.size, 5);
  hub.close();
});
