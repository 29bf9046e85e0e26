import assert from "node:assert/strict";
import { mock, test } from "node:test";
import pg from "pg";
import { createTestDatabase } from "../../test/harness.ts";
import { openDatabase, type Db } from "./database.ts";
import { migrate } from "./migrate.ts";
import { sql, type Sql } from "./sql.ts";

/** Defaults that an operator's own PostgreSQL may have for a database. */
const OTHERS = {
  default_transaction_isolation: "serializable",
  timezone: "Asia/Kuwait",
  datestyle: "SQL, DMY",
  intervalstyle: "sql_standard",
  bytea_output: "escape",
  extra_float_digits: "-2",
  standard_conforming_strings: "off",
  array_nulls: "off",
  transform_null_equals: "on",
  lock_timeout: "1",
  idle_session_timeout: "60000",
};

test("defaults of an operator's PostgreSQL change nothing: each connection sets what it relies on", async () => {
  const [ours, theirs] = [await createTestDatabase(), await createTestDatabase()];
  const client = new pg.Client({ connectionString: theirs.url });
  await client.connect();
  for (const [name, value] of Object.entries({ ...OTHERS, statement_timeout: "77s" }))
    await client.query(`do $$ begin execute format('alter database %I set ${name} = %L',
      current_database(), '${value}'); end $$`);
  await client.end();
  const seen = async (url: string) => {
    const db = openDatabase({ connectionString: url });
    const settings = sql`select name, setting from pg_settings
      where name = any(${Object.keys(OTHERS)}) order by 1`;
    const values = sql`select 'A\\nB' as text, array[1.1::float8, 2] as numbers, '\\x00ff'::bytea as bytes,
      '2026-01-02T03:04:05Z'::timestamptz as time, ${["NULL", null]}::text[] as list`;
    const ways: ((db: Db, statement: Sql) => Promise<unknown>)[] = [
      async (way, statement) => way.query(statement),
      async (way, statement) => way.read(statement),
      async (way, statement) => way.slowQuery(statement, 5_000),
      async (way, statement) => way.transaction((tx) => tx.query(statement)),
    ];
    try {
      return await Promise.all(
        ways.map(async (way) => [await way(db, settings), await way(db, values)]),
      );
    } finally {
      await db.close();
    }
  };
  try {
    const found = await seen(theirs.url);
    assert.deepEqual(found, await seen(ours.url));
    assert.match(JSON.stringify(found), /"read committed"/);
    const db = openDatabase({ connectionString: theirs.url });
    const limit = sql`select current_setting('statement_timeout') as limit`;
    assert.deepEqual(await db.query(limit), [{ limit: "77s" }], "the operator's");
    await db.close();
  } finally {
    await Promise.all([ours.drop(), theirs.drop()]);
  }
});

/** The settings that would stay on a connection which a pooler gives to somebody else. */
const left = `select current_setting('statement_timeout') as timeout, current_setting('work_mem') as memory,
  (select count(*)::int from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()) as locks`;

test("migrations and slow reads leave no lock and no limit on their connection for others behind a pooler", async () => {
  const { url, drop } = await createTestDatabase();
  const db = openDatabase({ connectionString: url });
  const connected = mock.method(pg.Client.prototype, "connect");
  const ended = mock.method(pg.Client.prototype, "end", async () => {});
  const clients = () =>
    connected.mock.calls.map((call) => call.this).filter((one) => one instanceof pg.Client);
  try {
    await migrate(url);
    await db.slowQuery(sql`select 1`, 5_000);
    await assert.rejects(db.slowQuery(sql`select pg_sleep(1)`, 5), /no answer within 5 ms/);
    const [migrated, slow, ...others] = clients();
    assert.ok(migrated && slow && others.length === 0);
    const fresh = new pg.Client({ connectionString: url });
    await fresh.connect();
    const { rows: nothing } = await fresh.query(left);
    assert.deepEqual((await migrated.query(left)).rows, nothing);
    assert.deepEqual((await slow.query(left)).rows, nothing);
  } finally {
    ended.mock.restore();
    connected.mock.restore();
    for (const client of clients()) await client.end();
    await db.close();
    await drop();
  }
});
