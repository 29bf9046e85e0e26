import assert from "node:assert/strict";
import { once } from "node:events";
import net, { type AddressInfo } from "node:net";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { createTestDatabase } from "../../test/harness.ts";
import { toAppError } from "../http/edge/errors.ts";
import { openDatabase, type Db } from "./database.ts";
import { isPassingFault } from "./passing-fault.ts";
import { sql, type Sql } from "./sql.ts";
import { tellsReadOnly, WritableClient } from "./writable-client.ts";

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

/** What a standby answers to whoever connects and asks whether it takes writes: that the transaction is read-only. */
function answerAsStandby(client: net.Socket): void {
  const message = (type: string, ...parts: readonly (string | readonly number[])[]) => {
    const body = Buffer.concat(parts.map((part) => Buffer.from(part)));
    const length = Buffer.alloc(4);
    length.writeInt32BE(body.length + 4);
    return Buffer.concat([Buffer.from(type), length, body]);
  };
  const ready = message("Z", "I");
  // One column of type text (25) without a length of its own.
  const column = [0, 0, 0, 0, 0, 0, 0, 0, 0, 25, 255, 255, 255, 255, 255, 255, 0, 0];
  const row = [
    message("T", [0, 1], "transaction_read_only\0", column),
    message("D", [0, 1, 0, 0, 0, 2], "on"),
    message("C", "SHOW\0"),
  ];
  client.once("data", () => {
    client.write(Buffer.concat([message("R", [0, 0, 0, 0]), ready]));
    client.on("data", (data) => {
      if (data.toString("latin1", 0, 1) === "Q") client.write(Buffer.concat([...row, ready]));
    });
  });
}

/** Hosts of `DATABASE_URL`: one that never answers, a standby, a road to the database, and one that is starting. */
async function startHosts() {
  const { searchParams, pathname } = new URL(database.url.replace("@/", "@socket/"));
  const socket = `${searchParams.get("host")}/.s.PGSQL.5432`;
  const open = new Set<net.Socket>();
  const keep = (one: net.Socket) => open.add(one.on("error", () => {}));
  const asked = Promise.withResolvers<void>();
  let asksOfStandby = 0;
  let isStarting = true;
  const lead = (client: net.Socket) => {
    const server = net.connect(socket);
    for (const one of [client, server]) keep(one);
    client.pipe(server).pipe(client);
    server.once("close", () => asked.resolve());
  };
  const servers = {
    silent: net.createServer(keep),
    standby: net.createServer((client) => {
      keep(client);
      asksOfStandby++;
      answerAsStandby(client);
    }),
    road: net.createServer(lead),
    /** Ends the first call at once, as a server does that starts. */
    starting: net.createServer((client) => {
      if (!isStarting) return lead(client);
      isStarting = false;
      client.destroy();
    }),
  };
  for (const server of Object.values(servers))
    await once(server.listen(0, "127.0.0.1"), "listening");
  const at = (name: keyof typeof servers) =>
    `127.0.0.1:${(servers[name].address() as AddressInfo).port}`;
  return {
    urlOf: (...names: (keyof typeof servers)[]) =>
      `postgres://postgres@${names.map(at).join(",")}${pathname}`,
    /** Somebody asked the database by its road, and left. */
    asked: asked.promise,
    asksOfStandby: () => asksOfStandby,
    close() {
      for (const one of open) one.destroy();
      for (const server of Object.values(servers)) server.close();
    },
  };
}

test("a standby that takes over while another host is silent is found by the connection that asked both", async () => {
  const { rows } = await admin.query<{ name: string }>("select current_database() as name");
  const name = rows[0]?.name ?? "";
  await admin.query(`alter database "${name}" set default_transaction_read_only = on`);
  const hosts = await startHosts();
  const client = new WritableClient(hosts.urlOf("silent", "road"));
  try {
    const connecting = client.connect();
    await hosts.asked;
    await admin.query("set default_transaction_read_only = off");
    await admin.query(`alter database "${name}" reset default_transaction_read_only`);
    await connecting;
    await client.query("create temporary table written ()");
  } finally {
    await client.end();
    hosts.close();
  }
});

test("a server that starts while another host is silent is found by the connection that asked both", async () => {
  const hosts = await startHosts();
  const client = new WritableClient(hosts.urlOf("silent", "starting"));
  try {
    await client.connect();
    await client.query("create temporary table written ()");
  } finally {
    await client.end();
    hosts.close();
  }
});

test("a standby is not asked any more once a host that takes writes was found", async () => {
  const hosts = await startHosts();
  const client = new WritableClient(hosts.urlOf("standby", "road", "silent"));
  try {
    await client.connect();
    const asks = hosts.asksOfStandby();
    assert.ok(asks > 0);
    await sleep(1_000);
    // One may have been on its way.
    assert.ok(hosts.asksOfStandby() <= asks + 1, `${hosts.asksOfStandby()} after ${asks}`);
  } finally {
    await client.end();
    hosts.close();
  }
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
