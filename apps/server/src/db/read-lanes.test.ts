import assert from "node:assert/strict";
import { test } from "node:test";
import pg from "pg";
import { createTestDatabase } from "../../test/harness.ts";
import { isPassingFault } from "./passing-fault.ts";
import { openReadLanes } from "./read-lanes.ts";
import { sql } from "./sql.ts";

test("a lost connection is replaced by one other, also when a read comes at once, and none is left over", async () => {
  const database = await createTestDatabase();
  const admin = new pg.Client({ connectionString: database.url });
  await admin.connect();
  const others = async () =>
    (
      await admin.query<{ pid: number }>(
        `select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
         and backend_type = 'client backend'`,
      )
    ).rows.map(({ pid }) => pid);

  const pidOf = async () =>
    (await lanes.query<{ pid: number }>(sql`select pg_backend_pid() as pid`))[0]?.pid;
  // A read at the very moment of the loss opens the next connection.
  const next = Promise.withResolvers<number | undefined>();
  const lanes = openReadLanes({ connectionString: database.url }, 1, () => next.resolve(pidOf()));
  const first = await pidOf();
  assert.ok(first !== undefined);
  await admin.query("select pg_terminate_backend($1)", [first]);
  const second = await next.promise;
  assert.notEqual(second, first);
  await new Promise((resolve) => setTimeout(resolve, 100));
  assert.equal(await pidOf(), second);
  // PostgreSQL says that a connection ends before it has ended it.
  while ((await others()).includes(first)) await new Promise((resolve) => setTimeout(resolve, 20));
  assert.deepEqual(await others(), [second]);
  await lanes.end();
  while ((await others()).length > 0) await new Promise((resolve) => setTimeout(resolve, 20));
  await admin.end();
  await database.drop();
});

test("a read uses the connection that has less to do, and an idle connection is kept", async (t) => {
  const database = await createTestDatabase();
  t.mock.timers.enable({ apis: ["setTimeout", "setInterval"] });
  const lanes = openReadLanes({ connectionString: database.url }, 2, () => {});
  const pid = async () =>
    (await lanes.query<{ pid: number }>(sql`select pg_backend_pid() as pid`))[0]?.pid;
  const [first, second] = await Promise.all([pid(), pid()]);
  assert.notEqual(first, second);
  assert.deepEqual([await pid(), await pid()], [first, first]);
  // Nobody reads for a minute.
  t.mock.timers.tick(60_000);
  assert.deepEqual(await Promise.all([pid(), pid()]), [first, second]);
  await lanes.end();
  await database.drop();
});

test("each of many statements gets its own answer, however large, also when one of them fails", async () => {
  const database = await createTestDatabase();
  const lanes = openReadLanes({ connectionString: database.url }, 1, () => {});
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
  await lanes.end();
  await database.drop();
});

test("a statement that failed can be asked again once what it reads is there", async () => {
  const database = await createTestDatabase();
  const lanes = openReadLanes({ connectionString: database.url }, 1, () => {});
  const admin = new pg.Client({ connectionString: database.url });
  await admin.connect();
  const read = () => lanes.query(sql`select a from late`);
  await assert.rejects(read(), /does not exist/);
  await admin.query("create table late as select 1 as a");
  assert.deepEqual(await read(), [{ a: 1 }]);
  await admin.end();
  await lanes.end();
  await database.drop();
});

test("when a connection is cut, its unanswered reads fail with a passing fault", async () => {
  const database = await createTestDatabase();
  const watch = openReadLanes({ connectionString: database.url }, 1, () => {});
  const own = openReadLanes({ connectionString: database.url }, 1, () => {});
  const [row] = await own.query<{ pid: number }>(sql`select pg_backend_pid() as pid`);
  const sleeping = Promise.allSettled([
    own.query(sql`select pg_sleep(20)`),
    own.query(sql`select 1`),
  ]);
  const until = async () =>
    (
      await watch.query(
        sql`select 1 from pg_stat_activity where pid = ${row?.pid} and wait_event = 'PgSleep'`,
      )
    ).length;
  while ((await until()) === 0);
  await watch.query(sql`select pg_terminate_backend(${row?.pid}::int)`);
  for (const one of await sleeping)
    assert.ok(one.status === "rejected" && isPassingFault(one.reason));
  await own.end();
  await watch.end();
  await database.drop();
});
