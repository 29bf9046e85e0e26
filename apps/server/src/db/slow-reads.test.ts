import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import pg from "pg";
import { createTestDatabase } from "../../test/harness.ts";
import { openDatabase, type Db } from "./database.ts";
import { createPlaces } from "./slow-reads.ts";
import { Sql, sql } from "./sql.ts";
import { NoAnswer } from "./time-limit.ts";

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let behind: Db;
let front: Db;
before(async () => {
  database = await createTestDatabase();
  behind = openDatabase({ connectionString: database.url, poolSize: 3, packsLog: true });
  front = openDatabase({ connectionString: database.url, behind });
});
after(async () => {
  await Promise.all([front.close(), behind.close()]);
  await database.drop();
});

test("two slow reads at once leave connections for the pieces of background work; a third waits", async () => {
  const admin = new pg.Client({ connectionString: database.url });
  await admin.connect();
  await admin.query("select pg_advisory_lock(7)");
  const held = sql`select pg_advisory_xact_lock_shared(7)`;
  const slow = [1, 2, 3].map(() => front.slowQuery(held, 60_000));
  assert.deepEqual(await behind.query(sql`select 1 as one`), [{ one: 1 }]);
  const { rows } = await admin.query<{ waiting: number }>(
    `select count(*)::int as waiting from pg_locks where locktype = 'advisory' and not granted`,
  );
  assert.ok((rows[0]?.waiting ?? 0) <= 2);
  await admin.query("select pg_advisory_unlock(7)");
  await Promise.all(slow);
  await admin.end();
});

test("a place that becomes free passes to the one that waits longest", async () => {
  const take = createPlaces(1, 60_000);
  const leave = await take();
  const order: number[] = [];
  const next = [1, 2].map(async (n) => {
    const done = await take();
    order.push(n);
    done();
  });
  leave();
  await Promise.all(next);
  assert.deepEqual(order, [1, 2]);
  (await take())();
});

test("a slow read that gets no place in time fails as one without an answer, and takes nobody's place", async () => {
  const take = createPlaces(1, 1);
  const leave = await take();
  await assert.rejects(take(), NoAnswer);
  leave();
  (await take())();
});

test("a slow read may read a whole table; the next user of its connection looks by key again", async () => {
  const one = openDatabase({ connectionString: database.url, poolSize: 1 });
  const show = sql`show enable_seqscan`;
  assert.deepEqual(await one.slowQuery(show, 5_000), [{ enable_seqscan: "on" }]);
  assert.deepEqual(await one.query(show), [{ enable_seqscan: "off" }]);
  await one.close();
});

test("a background connection compresses what it writes to the log, where its user may set that", async () => {
  const show = sql`show wal_compression`;
  const packed = async (db: Db) => (await db.query<{ wal_compression: string }>(show))[0];
  assert.deepEqual(await packed(behind), { wal_compression: "pglz" });
  assert.deepEqual(await packed(front), { wal_compression: "off" });
  const user = `writer_${process.pid}`;
  await front.query(new Sql([`create role ${user} login`], []));
  const connectionString = database.url.replace("postgres@", `${user}@`);
  const failures = async () => {
    const [row] = await front.query<{ n: number }>(
      sql`select xact_rollback::int as n from pg_stat_database where datname = current_database()`,
    );
    return row?.n;
  };
  const before = await failures();
  const limited = openDatabase({ connectionString, packsLog: true, poolSize: 1 });
  try {
    assert.deepEqual(await packed(limited), { wal_compression: "off" });
    await limited.query(sql`select pg_stat_force_next_flush()`);
    assert.equal(await failures(), before, "PostgreSQL's log has no error because of it");
  } finally {
    await limited.close();
    await front.query(new Sql([`drop role ${user}`], []));
  }
});
