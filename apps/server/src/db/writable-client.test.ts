import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import pg from "pg";
import { createTestDatabase } from "../../test/harness.ts";
import { toAppError } from "../http/edge/errors.ts";
import { openDatabase, type Db } from "./database.ts";
import { isPassingFault } from "./passing-fault.ts";
import { sql, type Sql } from "./sql.ts";
import { tellsReadOnly } from "./writable-client.ts";

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let admin: pg.Client;
let db: Db;
before(async () => {
  database = await createTestDatabase();
  admin = new pg.Client({ connectionString: database.url });
  await admin.connect();
});
after(async () => {
  await admin.end();
  await database.drop();
});

const PID = sql`select pg_backend_pid() as pid`;
/** What the server does to all its connections when another takes over. */
const DEMOTED = sql`select set_config('default_transaction_read_only', 'on', false)`;

const ways: [name: string, ask: (statement: Sql) => Promise<{ pid?: number }[]>][] = [
  ["a statement", (statement) => db.query(statement)],
  ["a read beside others", (statement) => db.read(statement)],
  ["a transaction", (statement) => db.transaction((tx) => tx.query(statement))],
  ["a slow read", (statement) => db.slowQuery(statement, 1_000)],
];
for (const [name, ask] of ways)
  test(`${name}: a connection is dropped once its server takes no writes`, async () => {
    db = openDatabase({ connectionString: database.url, poolSize: 1 });
    const [first] = await ask(PID);
    assert.equal((await ask(DEMOTED)).length, 1, "what was asked has its answer");
    await new Promise(setImmediate);
    // A statement at that very moment may fail and have to be asked again.
    const [next] = await ask(PID).catch(async (error: unknown) => {
      assert.ok(isPassingFault(error), String(error));
      return ask(PID);
    });
    assert.notEqual(next?.pid, first?.pid);
    await db.close();
  });

test("a server that takes no writes counts as away, and as back once it takes them", async () => {
  const { rows } = await admin.query<{ name: string }>("select current_database() as name");
  const name = rows[0]?.name ?? "";
  await admin.query(`alter database "${name}" set default_transaction_read_only = on`);
  db = openDatabase({ connectionString: database.url, poolSize: 2 });
  for (const [way, ask] of ways) {
    const error = await ask(PID).then(
      () => assert.fail(`${way} was answered`),
      (reason: unknown) => reason,
    );
    assert.equal(toAppError(error).code, "OVERLOADED", `${way}: ${String(error)}`);
  }
  await admin.query("set default_transaction_read_only = off");
  await admin.query(`alter database "${name}" reset default_transaction_read_only`);
  for (const [, ask] of ways) assert.ok((await ask(PID))[0]?.pid);
  await db.close();
});

test("a write that the server behind a pooler refuses like a standby is tried again later", async () => {
  db = openDatabase({ connectionString: database.url, poolSize: 1 });
  let first: unknown;
  const refused = db.transaction(async (tx) => {
    [first] = await tx.query(PID);
    await tx.query(sql`set transaction read only`);
    await tx.query(sql`create table never (id int)`);
  });
  const error = await refused.catch((reason: unknown) => reason);
  assert.equal(toAppError(error).code, "OVERLOADED", String(error));
  await new Promise(setImmediate);
  const [next] = await db.query(PID).catch(() => db.query(PID));
  assert.notDeepEqual(next, first, "over another connection");
  await db.close();
});

test("a standby is known by its report at the start and after a change; other settings say nothing", () => {
  const told = [
    ["in_hot_standby", "on"],
    ["in_hot_standby", "off"],
    ["default_transaction_read_only", "on"],
    ["integer_datetimes", "on"],
  ] as const;
  assert.deepEqual(
    told.map(([name, value]) => tellsReadOnly(name, value)),
    [true, false, true, false],
  );
});

test("a database with an unknown host name or a dead address counts as away", () => {
  for (const code of ["ENOTFOUND", "EHOSTUNREACH", "ENETUNREACH"])
    assert.ok(isPassingFault(Object.assign(new Error(code), { code })), code);
});
