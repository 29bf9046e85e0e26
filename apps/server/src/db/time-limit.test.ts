import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import pg from "pg";
import { Cable } from "../../test/cable.ts";
import { createTestDatabase } from "../../test/harness.ts";
import { LostCommit } from "../lib/lost-commit.ts";
import { openDatabase, type Db } from "./database.ts";
import { openReadLanes } from "./read-lanes.ts";
import { sql } from "./sql.ts";
import { cutAt, NoAnswer } from "./time-limit.ts";

const LIMIT_MS = 200;
const add = (word: string) => sql`insert into said (word) values (${word}) returning word`;

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let cable: Cable;
let db: Db;
before(async () => {
  database = await createTestDatabase();
  cable = await Cable.lay(database.url);
  db = openDatabase({ connectionString: cable.url, poolSize: 3 });
  await db.query(sql`create table said (word text)`);
});
after(async () => {
  await db.close();
  await cable[Symbol.asyncDispose]();
  await database.drop();
});

async function saidAfterwards(): Promise<unknown[]> {
  cable.speak();
  await cable.settled();
  const rows = await db.query<{ word: string }>(sql`delete from said returning word`);
  return rows.map(({ word }) => word);
}

test("work without an answer in time is given up; work that nobody waits for goes on when PostgreSQL does", async () => {
  const asked = db.within(LIMIT_MS);
  await Promise.all([1, 2, 3].map(() => db.query(sql`select pg_sleep(0.05)`)));
  cable.fallSilent();
  const patient = db.transaction(async (tx) => {
    await tx.query(add("patient"));
  });
  const begun = performance.now();
  const hurried = await Promise.allSettled([
    asked.query(sql`select 1`),
    asked.transaction((tx) => tx.query(add("half"))),
    // More reads than connections.
    asked.query(sql`select 2`),
    asked.query(sql`select 3`),
  ]);
  for (const one of hurried)
    assert.ok(one.status === "rejected" && one.reason instanceof NoAnswer, JSON.stringify(one));
  assert.ok(performance.now() - begun < 60_000);
  cable.speak();
  await patient;
  assert.deepEqual(await saidAfterwards(), ["patient"], "the half one was undone");
});

test("a commit without an answer in time is a LostCommit: it may have been done", async () => {
  const asked = db.within(LIMIT_MS);
  await db.query(sql`select 1`);
  cable.fallSilent();
  const attempt = asked.transaction(async (tx) => tx.later(tx.query(add("once"))));
  await assert.rejects(attempt, LostCommit);
  assert.deepEqual(await saidAfterwards(), ["once"]);
});

test("a statement that is given up while it waits for a lock ends in PostgreSQL too", async () => {
  const direct = openDatabase({ connectionString: database.url, poolSize: 2 });
  const waiting = sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  try {
    await direct.query(add("held"));
    await direct.transaction(async (tx) => {
      await tx.query(sql`delete from said`);
      // On a busy machine a statement may be given up before PostgreSQL has met the lock. Then it may wait longer.
      let waited = false;
      for (let limitMs = LIMIT_MS; !waited; limitMs *= 2) {
        let over = false;
        const late = direct.within(limitMs).query(sql`update said set word = 'late'`);
        const refused = assert.rejects(late, NoAnswer).finally(() => (over = true));
        while (!over && !waited) waited = (await db.query(waiting)).length > 0;
        await refused;
      }
      // PostgreSQL looks once a second.
      const end = performance.now() + 180_000;
      while ((await db.query(waiting)).length > 0)
        assert.ok(performance.now() < end, "it still waits");
    });
  } finally {
    await direct.close();
  }
});

test("the limit of work that ended in time never breaks the connection later", async () => {
  const asked = db.within(LIMIT_MS);
  const pid = async (one: Db) =>
    (await one.query<{ pid: number }>(sql`select pg_backend_pid() as pid`))[0]?.pid;
  let first: number | undefined;
  while (first === undefined) first = await pid(asked).catch(() => undefined);
  await db.query(sql`select pg_sleep(${(LIMIT_MS * 2) / 1_000}::float8)`);
  assert.equal(await pid(db), first);
});

test("short reads give up a silent connection and open another", async () => {
  const lanes = openReadLanes({ connectionString: cable.url, answerMs: LIMIT_MS }, 1, () => {});
  try {
    while ((await lanes.query(sql`select 1`).catch(() => [])).length === 0);
    cable.fallSilent();
    await assert.rejects(lanes.query(sql`select 2`), NoAnswer);
    // Not even a new connection can be made.
    await assert.rejects(lanes.query(sql`select 3`), NoAnswer);
    cable.speak();
    let four: unknown;
    while (four === undefined) four = await lanes.query(sql`select 4`).catch(() => undefined);
  } finally {
    await lanes.end();
  }
});

test("a limit that is already over breaks the connection, and writes nothing to standard error", async () => {
  const warnings: Error[] = [];
  const note = (warning: Error) => warnings.push(warning);
  process.on("warning", note);
  const client = new pg.Client({ connectionString: database.url });
  const errors: Error[] = [];
  client.on("error", (error) => errors.push(error));
  await client.connect();
  const ended = new Promise<void>((resolve) => client.on("end", () => resolve()));
  cutAt(performance.now() - 10, client);
  await ended;
  assert.deepEqual([errors[0] instanceof NoAnswer, warnings], [true, []]);
  process.off("warning", note);
});

test("a process that was itself held up first reads what came meanwhile", (t) => {
  const clock = { now: 0 };
  t.mock.method(performance, "now", () => clock.now);
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const cut = (late: number) => {
    const client = new pg.Client();
    const stream = client.connection.stream.on("error", () => {});
    clock.now = 0;
    const stop = cutAt(100, client);
    clock.now = 100 + late;
    t.mock.timers.tick(100);
    return { stream, stop };
  };
  assert.ok(cut(249).stream.destroyed);
  const held = cut(250);
  t.mock.timers.tick(999);
  assert.ok(!held.stream.destroyed);
  t.mock.timers.tick(1);
  assert.ok(held.stream.destroyed);
  const answered = cut(250);
  answered.stop();
  t.mock.timers.tick(5_000);
  assert.ok(!answered.stream.destroyed);
});
