import { OPERATOR } from "../actor.ts";
import assert from "node:assert/strict";
import { test } from "node:test";
import { createTestDatabase, startTestApp } from "../../test/harness.ts";
import { readCatalogue } from "../db/catalogue.ts";
import { openDatabase } from "../db/database.ts";
import { Sql, sql } from "../db/sql.ts";
import { createWorkspace } from "../workspaces/create-workspace.ts";
import {
  alignSequences,
  deferReferences,
  listTables,
  readRows,
  writeRows,
} from "./backup-store.ts";
import { haltAfterRestore, haltEverything } from "./halt-everything.ts";

test("rows come back as they were: json text, micro-seconds, bytes, arrays and Unicode", async () => {
  await using from = await startTestApp();
  await using to = await startTestApp();
  const { id } = await createWorkspace(OPERATOR, from.app, { name: 'أهلاً "\\ \u2028 🙂' });
  const at = from.clock.now();
  await from.app.db.query(sql`insert into contact
      (workspace_id, id, name, tags, attributes, attribute_terms, search, created_at, updated_at)
    values (${id}, ${from.app.ids.next()}, 'A', ${["x,y", '"']}::text[], '{"n": 1e3}', ${"'it''s \\\\' 'b'"}, 'a',
            '2026-01-02 03:04:05.678901+00', ${at})`);
  await from.app.db.query(sql`insert into segment (workspace_id, id, name, definition, created_at)
    values (${id}, ${from.app.ids.next()}, 'S', '{ "b":1,  "a":2}', ${at})`);
  await from.app.db.query(sql`insert into inbound_failure (id, body, error, received_at)
    values (${id}, ${Buffer.of(0, 255, 10)}, 'e', ${at})`);
  const entry = (t: typeof from) =>
    t.app.db.query(sql`insert into broadcast_entry
      (workspace_id, broadcast_id, kind, created_at) values (${id}, ${id}, 'start', ${at}) returning id::int as id`);
  for (const number of [1, 2, 3]) assert.deepEqual(await entry(from), [{ id: number }]);
  const contents = async (t: typeof from) =>
    t.app.db.transaction(async (tx) => {
      const all: Record<string, readonly string[]> = {};
      for (const table of await listTables(tx))
        for await (const page of readRows(tx, table)) all[table.name] = page;
      return all;
    });
  const before = await contents(from);
  assert.deepEqual(Object.keys(before)[0], "workspace");
  await to.app.db.transaction(async (tx) => {
    for (const table of await listTables(tx)) await writeRows(tx, table, before[table.name] ?? []);
    await alignSequences(tx);
  });
  assert.deepEqual(await contents(to), before);
  assert.deepEqual(await entry(to), [{ id: 4 }], "numbers go on after the restored ones");
  const documents = (t: typeof from) => t.app.db.query(sql`select document from contact`);
  assert.deepEqual(await documents(to), await documents(from));
});

test("a database with its tables in another schema than public is backed up in the same way", async () => {
  await using t = await startTestApp();
  const own = await createTestDatabase();
  const name = new URL(own.url.replace("@/", "@socket/")).pathname.slice(1);
  const rename = openDatabase({ connectionString: own.url });
  await rename.query(sql`alter schema public rename to shop`);
  await rename.query(sql`create schema public`);
  await rename.query(new Sql([`alter database ${name} set search_path = shop, public`], []));
  await rename.close();
  const db = openDatabase({ connectionString: own.url });
  try {
    const tables = await listTables(db);
    assert.ok(tables.length > 30);
    assert.deepEqual(tables, await listTables(t.app.db));
    const add = sql`insert into broadcast_entry (workspace_id, broadcast_id, kind, created_at)
      values (${t.app.ids.next()}, ${t.app.ids.next()}, 'start', now()) returning id::int as id`;
    await db.query(add);
    await db.query(sql`delete from broadcast_entry`);
    await db.transaction((tx) => alignSequences(tx));
    assert.deepEqual(await db.query(add), [{ id: 1 }]);
  } finally {
    await db.close();
    await own.drop();
  }
});

test("a database that went back in time is halted once no server runs on it", async () => {
  await using t = await startTestApp();
  const { id } = await createWorkspace(OPERATOR, t.app, { name: "A" });
  const next = () => t.app.ids.next();
  await t.app.db.query(sql`insert into message_outbox
      (workspace_id, message_id, conversation_id, channel_id, state, available_at)
    values (${id}, ${next()}, ${next()}, ${next()}, 'waiting', ${t.clock.now()})`);
  await t.app.db.query(sql`
    insert into process (id, seen_at, role, machine, address) values (${next()}, now(), 'all', 'shop', '127.0.0.1:3000')`);
  const states = () => t.app.db.query(sql`select state from message_outbox`);
  await assert.rejects(
    haltAfterRestore(t.app),
    /a server runs on this database \(127\.0\.0\.1:3000 on shop\)/,
  );
  assert.deepEqual(await states(), [{ state: "waiting" }]);
  await t.app.db.query(sql`update process set seen_at = now() - interval '1 minute'`);
  assert.equal((await haltAfterRestore(t.app)).replies, 1);
  assert.deepEqual(await states(), [{ state: "unknown" }]);
});

test("after a restore nothing is sent by itself", async () => {
  await using t = await startTestApp();
  const { id } = await createWorkspace(OPERATOR, t.app, { name: "A" });
  const next = () => t.app.ids.next();
  const at = t.clock.now();
  for (const state of ["waiting", "claimed", "calling"])
    await t.app.db.query(sql`insert into message_outbox
        (workspace_id, message_id, conversation_id, channel_id, state, available_at)
      values (${id}, ${next()}, ${next()}, ${next()}, ${state}, ${at})`);
  for (const status of ["DRAFT", "SCHEDULED", "QUEUED", "RUNNING", "COMPLETED"])
    await t.app.db.query(sql`insert into broadcast
        (workspace_id, id, name, channel_type, kind, status, rate_limit_per_minute, created_at)
      values (${id}, ${next()}, ${status}, 'WHATSAPP', 'SMS', ${status}, 600, ${at})`);
  for (const [sequence, state] of ["pending", "pending", "delivered"].entries())
    await t.app.db.query(sql`insert into delivery
        (workspace_id, endpoint_id, event_sequence, state, next_attempt_at, created_at)
      values (${id}, ${next()}, ${sequence}, ${state}, ${at}, ${at})`);
  const halted = await t.app.db.transaction((tx) => haltEverything(t.app, tx));
  assert.deepEqual(halted, {
    replies: 3,
    campaigns: 3,
    recipients: 0,
    deliveries: 2,
    passcodes: 0,
    bots: 0,
  });
  assert.deepEqual(await t.app.db.query(sql`select distinct state from message_outbox`), [
    { state: "unknown" },
  ]);
  assert.deepEqual(await t.app.db.query(sql`select name, status from broadcast order by id`), [
    { name: "DRAFT", status: "DRAFT" },
    { name: "SCHEDULED", status: "DRAFT" },
    { name: "QUEUED", status: "DRAFT" },
    { name: "RUNNING", status: "PAUSED" },
    { name: "COMPLETED", status: "COMPLETED" },
  ]);
  assert.deepEqual(
    await t.app.db
      .query(sql`select b.name, e.kind, e.from_status || ' → ' || e.to_status as move, e.cause = b.status_reason as why
      from broadcast_entry e join broadcast b on b.workspace_id = e.workspace_id and b.id = e.broadcast_id order by b.id`),
    [
      { name: "SCHEDULED", kind: "halt", move: "SCHEDULED → DRAFT", why: true },
      { name: "QUEUED", kind: "halt", move: "QUEUED → DRAFT", why: true },
      { name: "RUNNING", kind: "halt", move: "RUNNING → PAUSED", why: true },
    ],
    "the timeline tells each move",
  );
  assert.deepEqual(await t.app.db.query(sql`select state from delivery order by event_sequence`), [
    { state: "exhausted" },
    { state: "exhausted" },
    { state: "delivered" },
  ]);
});

test("rows are stored before those that they refer to, and a missing one is found at the end", async () => {
  await using t = await startTestApp();
  const { id } = await createWorkspace(OPERATOR, t.app, { name: "Shop" });
  const source = t.app.ids.next();
  const chunk = sql`insert into knowledge_chunk
      (workspace_id, id, source_id, version, lang, place, title, text)
    values (${id}, ${t.app.ids.next()}, ${source}, 1, 'en', 0, 'Opening', 'From nine')`;
  const before = await readCatalogue(t.app.db);
  await t.app.db.transaction(async (tx) => {
    const check = await deferReferences(tx);
    // The class: no table refers at once to one that follows it.
    const early = await tx.query(sql`
      select k.conname from pg_constraint k join pg_class c on c.oid = k.conrelid
        join pg_class other on other.oid = k.confrelid
      where k.contype = 'f' and not k.condeferred and other.relname > c.relname
        and other.relname <> 'workspace' and c.relkind = 'r'`);
    assert.deepEqual(early, []);
    await tx.query(chunk);
    const [row] = await tx.query<{ kind: string }>(sql`
      insert into knowledge_source (workspace_id, id, kind, title, status, created_at, updated_at)
      values (${id}, ${source}, 'snippet', 'Hours', 'ready', ${t.clock.now()}, ${t.clock.now()}) returning kind`);
    assert.ok(row);
    await check();
  });
  assert.deepEqual(await readCatalogue(t.app.db), before, "the constraints are as they were");
  const missing = t.app.db.transaction(async (tx) => {
    const check = await deferReferences(tx);
    await tx.query(sql`update knowledge_chunk set source_id = ${t.app.ids.next()}`);
    await check();
  });
  await assert.rejects(missing, /foreign key constraint/);
});
