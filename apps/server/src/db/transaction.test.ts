import { OPERATOR } from "../actor.ts";
import assert from "node:assert/strict";
import { once } from "node:events";
import { after, before, test } from "node:test";
import pg from "pg";
import { startTestApp, type TestApp } from "../../test/harness.ts";
import { createWorkspace } from "../workspaces/create-workspace.ts";
import { LostCommit } from "../lib/lost-commit.ts";
import { RunAgain, sqlState, type Tx } from "./database.ts";
import { sql } from "./sql.ts";
import { runTransaction } from "./transaction.ts";
import { WritableClient } from "./writable-client.ts";

let t: TestApp;
before(async () => void (t = await startTestApp()));
after(() => t[Symbol.asyncDispose]());

test("when a statement for later or before the commit fails, in the database or before it is sent, the transaction fails too", async () => {
  const { db } = t.app;
  const { id } = await createWorkspace(OPERATOR, t.app, { name: "before" });
  const broken = async () => {
    throw new Error("never sent");
  };
  await assert.rejects(
    db.transaction(async (tx) => {
      await tx.query(sql`update workspace set name = 'after' where id = ${id}`);
      tx.later(broken());
    }),
    /never sent/,
  );
  await assert.rejects(
    db.transaction(async (tx) => {
      await tx.query(sql`update workspace set name = 'after' where id = ${id}`);
      tx.later(tx.query(sql`select 1 / 0`));
    }),
    /division by zero/,
  );
  for (const fails of [broken, (tx: Tx) => tx.query(sql`select 1 / 0`)])
    await assert.rejects(
      db.transaction(async (tx) => {
        await tx.query(sql`update workspace set name = 'after' where id = ${id}`);
        tx.beforeCommit(async () => fails(tx));
      }),
      /never sent|division by zero/,
    );
  const name = () => db.query(sql`select name from workspace where id = ${id}`);
  assert.deepEqual(await name(), [{ name: "before" }]);

  await db.transaction(async (tx) => {
    await tx.query(sql`update workspace set name = 'after' where id = ${id}`);
    await tx.savepoint(async () => tx.later(broken())).catch(() => {});
    const undone = tx.savepoint(async () => {
      tx.beforeCommit(broken);
      throw new Error("undone");
    });
    await undone.catch(() => {});
  });
  assert.deepEqual(await name(), [{ name: "after" }], "what a savepoint took back is over");
});

test("a transaction that lost what it wrote throws, and runs no action after the commit", async () => {
  const { db } = t.app;
  const { id } = await createWorkspace(OPERATOR, t.app, { name: "before" });
  const name = () => db.query(sql`select name from workspace where id = ${id}`);
  const rename = (tx: Tx, to: string) =>
    tx.query(sql`update workspace set name = ${to} where id = ${id}`);
  const told: string[] = [];
  let dead: Tx | undefined;
  await assert.rejects(
    db.transaction(async (tx) => {
      dead = tx;
      tx.afterCommit(() => told.push("lost"));
      await rename(tx, "after");
      // The work went on after an error. PostgreSQL answers its commit with ROLLBACK.
      await tx.query(sql`select 1 / 0`).catch(() => {});
    }),
    /rolled back/,
  );
  assert.deepEqual([await name(), told], [[{ name: "before" }], []]);
  assert.throws(() => dead?.query(sql`select 1`), /after its end/);

  await db.transaction(async (tx) => {
    dead = tx;
    tx.afterCommit(() => told.push("done"));
    await rename(tx, "kept");
    await assert.rejects(
      tx.savepoint(async () => {
        await rename(tx, "taken back");
        throw new RangeError("no");
      }),
      RangeError,
    );
    assert.deepEqual(told, []);
  });
  assert.deepEqual([await name(), told], [[{ name: "kept" }], ["done"]]);
  assert.throws(() => dead?.query(sql`select 1`), /after its end/);
});

test("a commit that PostgreSQL refuses is no LostCommit: the caller gets the reason, and nothing is stored", async () => {
  const { db } = t.app;
  await db.query(sql`create table held (id int primary key deferrable initially deferred)`);
  await assert.rejects(
    db.transaction((tx) => tx.query(sql`insert into held values (1), (1)`)),
    (error) => sqlState(error) === "23505",
  );
  assert.deepEqual(await db.query(sql`select id from held`), []);
});

test("work that met another transaction runs up to four times; any other error is thrown at once", async () => {
  const { db } = t.app;
  let times = 0;
  const failing = (error: () => Error, good = Infinity) =>
    db.transaction(async () => {
      if (++times < good) throw error();
      return times;
    });
  assert.equal(await failing(() => new RunAgain(), 4), 4);
  times = 0;
  await assert.rejects(
    failing(() => new RunAgain()),
    RunAgain,
  );
  assert.equal(times, 4);
  times = 0;
  await assert.rejects(
    failing(() => new RangeError("no")),
    RangeError,
  );
  assert.equal(times, 1);
});

test("a commit that was cut short before the standby had it is a LostCommit, and its connection is dropped", async () => {
  const pool = new pg.Pool({ Client: WritableClient, connectionString: t.databaseUrl });
  const client = await pool.connect();
  assert.ok(client instanceof WritableClient);
  const given: boolean[] = [];
  let nudged = 0;
  // As PostgreSQL sends it: words in the server's language, from the routine in which it waits.
  const cut = { message: "canceling wait", routine: "SyncRepWaitForLSN" };
  const work = async (tx: Tx) => {
    await tx.query(sql`select 1`);
    tx.afterCommit(() => nudged++);
    if (given.length > 0) client.connection.emit("notice", cut);
  };
  const giveBack = (broken: boolean) => void given.push(broken);
  const commit = () =>
    runTransaction({ client, lane: "piece", ask: (asked) => asked, giveBack }, work);
  await commit();
  await assert.rejects(commit, LostCommit);
  assert.deepEqual([given, nudged], [[false, true], 1]);
  // Until it is really gone: the database is dropped next, and PostgreSQL would tell it so.
  const gone = once(client, "end");
  client.release(true);
  await Promise.all([gone, pool.end()]);
});
