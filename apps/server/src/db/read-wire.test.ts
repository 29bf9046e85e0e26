import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { after, before, test } from "node:test";
import pg from "pg";
import { createTestDatabase } from "../../test/harness.ts";
import { isPassingFault } from "./passing-fault.ts";
import { openReadLanes, type ReadLanes } from "./read-lanes.ts";
import { ReadWire } from "./read-wire.ts";
import { Sql, sql } from "./sql.ts";

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let lanes: ReadLanes;
before(async () => {
  database = await createTestDatabase();
  lanes = openReadLanes({ connectionString: database.url }, 1, () => {});
});
after(async () => {
  await lanes.end();
  await database.drop();
});

test("values and rows are those of the pool, whatever their kind", async () => {
  const at = new Date("2026-02-03T04:05:06.789Z");
  const tricky = ["", "NULL", 'a"b\\c', "{x,y}", "سلام 🙂", null];
  const statement = sql`select ${"it's"}::text as word, ${7}::int as n, ${12.5}::float8 as real, ${true}::boolean as yes,
    ${null}::text as nothing, ${at}::timestamptz as at, ${tricky}::text[] as words, ${Buffer.from([0, 255])}::bytea as bytes,
    ${'{"a":[1]}'}::jsonb as json, ${[3, 4]}::int[] as numbers, 5::bigint as big`;
  const pool = new pg.Pool({ connectionString: database.url });
  const { rows } = await pool.query<object>(statement.text, [...statement.values]);
  await pool.end();
  assert.deepEqual(
    await lanes.query(statement),
    rows.map((row) => ({ ...row })),
  );
});

test("answers of many statements come to those who asked, however large, one that fails among them", async () => {
  const ask = (n: number): Promise<number | undefined> =>
    lanes
      .query<{ size: number; text: string }>(
        sql`select 10 / (${n}::int - 50) as n, length(t) as size, t as text from (select repeat('é', ${n * 997}::int) as t) x`,
      )
      .then(([row]) => (row?.text.length === row?.size ? row?.size : -1));
  const all = await Promise.allSettled(Array.from({ length: 100 }, (_, n) => ask(n)));
  for (const [n, one] of all.entries()) {
    if (n === 50)
      assert.equal(
        one.status === "rejected" && one.reason instanceof pg.DatabaseError && one.reason.code,
        "22012",
      );
    else assert.deepEqual(one, { status: "fulfilled", value: n * 997 });
  }
});

test("bytes are those of the text, null is null, and no row is none", async () => {
  const found = await lanes.bytes(
    sql`select n, nullif(n, 2)::text || 'é' from generate_series(1, 2) n`,
  );
  assert.deepEqual(
    found.map((row) => row.map((value) => value?.toString())),
    [
      ["1", "1é"],
      ["2", undefined],
    ],
  );
  assert.deepEqual(await lanes.bytes(sql`select 1 where false`), []);
});

test("a statement that failed can be asked again, also after what it reads has changed", async () => {
  const read = () => lanes.query(new Sql(["select * from late order by 1"], []));
  await assert.rejects(read(), /does not exist/);
  const admin = new pg.Client({ connectionString: database.url });
  await admin.connect();
  await admin.query("create table late as select 1 as a");
  assert.deepEqual(await read(), [{ a: 1 }]);
  await admin.query("alter table late add column b int default 2");
  await assert.rejects(read(), /cached plan/);
  assert.deepEqual(await read(), [{ a: 1, b: 2 }]);
  await admin.end();
});

test("more statements than are kept prepared all work", async () => {
  for (let n = 0; n < 250; n++)
    assert.deepEqual(await lanes.query(new Sql([`select ${n} as n`], [])), [{ n }]);
  assert.deepEqual(await lanes.query(new Sql(["select 249 as n"], [])), [{ n: 249 }]);
  const [kept] = await lanes.query<{ kept: number }>(
    new Sql(["select count(*)::int as kept from pg_prepared_statements"], []),
  );
  assert.ok(kept && kept.kept <= 200, `PostgreSQL keeps ${kept?.kept}`);
});

test("a statement that failed is kept prepared no longer; what is asked of a connection that is gone fails at once", async () => {
  const own = openReadLanes({ connectionString: database.url }, 1, () => {});
  const prepared = async () =>
    (await own.query(sql`select name from pg_prepared_statements order by name`)).length;
  const before = await prepared();
  for (let n = 0; n < 3; n++)
    await assert.rejects(
      own.query(new Sql([`select 1 / 0 as failed${n}`], [])),
      /division by zero/,
    );
  assert.equal(await prepared(), before);
  await own.end();

  const wire = new ReadWire(new PassThrough());
  const asked = wire.ask(sql`select 1`);
  wire.fail(new Error("cut"));
  await assert.rejects(asked, /cut/);
  await assert.rejects(wire.ask(sql`select 1`), /cut/);
});

test("what is in the air on a connection that is cut fails as a passing fault", async () => {
  const own = openReadLanes({ connectionString: database.url }, 1, () => {});
  const [row] = await own.query<{ pid: number }>(sql`select pg_backend_pid() as pid`);
  const sleeping = Promise.allSettled([
    own.query(sql`select pg_sleep(20)`),
    own.query(sql`select 1`),
  ]);
  const until = async () =>
    (
      await lanes.query(
        sql`select 1 from pg_stat_activity where pid = ${row?.pid} and wait_event = 'PgSleep'`,
      )
    ).length;
  while ((await until()) === 0);
  await lanes.query(sql`select pg_terminate_backend(${row?.pid}::int)`);
  for (const one of await sleeping)
    assert.ok(one.status === "rejected" && isPassingFault(one.reason));
  await own.end();
});
