import assert from "node:assert/strict";
import { test } from "node:test";
import pg from "pg";
import { createTestDatabase } from "../../test/harness.ts";
import { openReadLanes } from "./read-lanes.ts";
import { sql } from "./sql.ts";

test("a lost connection is followed by one other, also when it is asked for at once, and none is left behind", async () => {
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
  // Whoever reads at the very moment the loss is told opens the next connection.
  const next = Promise.withResolvers<number | undefined>();
  const lanes = openReadLanes({ connectionString: database.url }, 1, () => next.resolve(pidOf()));
  const first = await pidOf();
  assert.ok(first !== undefined);
  await admin.query("select pg_terminate_backend($1)", [first]);
  const second = await next.promise;
  assert.notEqual(second, first);
  await new Promise((resolve) => setTimeout(resolve, 100));
  assert.equal(await pidOf(), second);
  assert.deepEqual(await others(), [second]);
  await lanes.end();
  for (let tries = 0; tries < 1_000 && (await others()).length > 0; tries++)
    await new Promise((resolve) => setTimeout(resolve, 20));
  assert.deepEqual(await others(), []);
  await admin.end();
  await database.drop();
});

test("a read goes over the connection that has less to do, and one that nothing is asked of is kept", async (t) => {
  const database = await createTestDatabase();
  t.mock.timers.enable({ apis: ["setInterval"] });
  const lanes = openReadLanes({ connectionString: database.url }, 2, () => {});
  const pid = async () =>
    (await lanes.query<{ pid: number }>(sql`select pg_backend_pid() as pid`))[0]?.pid;
  const [first, second] = await Promise.all([pid(), pid()]);
  assert.notEqual(first, second);
  assert.deepEqual([await pid(), await pid()], [first, first]);
  // A minute in which nobody reads.
  t.mock.timers.tick(60_000);
  assert.deepEqual(await Promise.all([pid(), pid()]), [first, second]);
  await lanes.end();
  await database.drop();
});
