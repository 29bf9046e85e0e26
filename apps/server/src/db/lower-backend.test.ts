import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import os from "node:os";
import { after, before, test } from "node:test";
import { createTestDatabase } from "../../test/harness.ts";
import { BACKGROUND_NICE, lowerPriority } from "../lib/priority.ts";
import { openDatabase, type Db } from "./database.ts";
import { isBackend } from "./lower-backend.ts";
import { Sql, sql } from "./sql.ts";

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let plain: Db;
let behind: Db;
before(async () => {
  database = await createTestDatabase();
  plain = openDatabase({ connectionString: database.url });
  behind = openDatabase({ connectionString: database.url, nice: BACKGROUND_NICE });
});
after(async () => {
  await Promise.all([plain.close(), behind.close()]);
  await database.drop();
});

const linux = { skip: process.platform !== "linux" };
const ask = sql`select pid, datname as database, inet_server_addr() is null as "bySocket",
  extract(epoch from clock_timestamp() - backend_start)::float8 * 1000 as "ageMs"
  from pg_stat_activity where pid = pg_backend_pid()`;
type Backend = Parameters<typeof isBackend>[0];
const one = (rows: Backend[]): Backend => {
  const [row] = rows;
  assert.ok(row);
  return row;
};
/** The priorities that the system goes by: the process's, and its session's where there is one. */
function niceOf(pid: number): number[] {
  let session: number[] = [];
  try {
    const text = readFileSync(`/proc/${pid}/autogroup`, "utf8");
    session = [Number(/nice (-?\d+)/.exec(text)?.[1])];
  } catch {
    // This Linux does not share cores by session.
  }
  return [os.getPriority(pid), ...session];
}

test(
  "PostgreSQL's process behind a background connection gives way, whatever it runs",
  linux,
  async () => {
    assert.equal(behind.givesWay(), false);
    const asked = [
      await behind.query<Backend>(ask),
      await behind.transaction((tx) => tx.query<Backend>(ask)),
      await behind.slowQuery<Backend>(ask, 5_000),
    ];
    for (const rows of asked)
      for (const nice of niceOf(one(rows).pid)) assert.equal(nice, BACKGROUND_NICE);
    assert.equal(behind.givesWay(), true);
  },
);

test("every other connection keeps its priority", linux, async () => {
  await behind.query(ask);
  const { pid } = one(await plain.query<Backend>(ask));
  assert.deepEqual([...new Set(niceOf(pid))], [0]);
  assert.equal(plain.givesWay(), false);
});

test(
  "a process counts as PostgreSQL's only when everything that PostgreSQL says about it is true here",
  linux,
  async () => {
    const backend = one(await plain.query<Backend>(ask));
    assert.equal(isBackend(backend), true);
    for (const other of [
      { pid: process.pid },
      { pid: process.ppid },
      { pid: 1 },
      { pid: 2 ** 30 },
      { database: "another" },
      // Over a network it may be a number of another machine.
      { bySocket: false },
      // Here the number belongs to a process that began an hour earlier.
      { ageMs: backend.ageMs + 3_600_000 },
    ])
      assert.equal(isBackend({ ...backend, ...other }), false, JSON.stringify(other));
  },
);

test("where there is no such process, givesWay() is false", () => {
  assert.equal(lowerPriority(2 ** 30, BACKGROUND_NICE), false);
});

test("a background connection compresses what it writes to the log, where its user may set that", async () => {
  const show = sql`show wal_compression`;
  const packed = async (db: Db) => (await db.query<{ wal_compression: string }>(show))[0];
  assert.deepEqual(await packed(behind), { wal_compression: "pglz" });
  assert.deepEqual(await packed(plain), { wal_compression: "off" });
  const user = `writer_${process.pid}`;
  await plain.query(new Sql([`create role ${user} login`], []));
  const connectionString = database.url.replace("postgres@", `${user}@`);
  const limited = openDatabase({ connectionString, nice: BACKGROUND_NICE });
  try {
    assert.deepEqual(await packed(limited), { wal_compression: "off" });
  } finally {
    await limited.close();
    await plain.query(new Sql([`drop role ${user}`], []));
  }
});
