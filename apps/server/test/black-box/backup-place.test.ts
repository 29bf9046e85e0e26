import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import {
  createWriteStream,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { once } from "node:events";
import { createServer } from "node:net";
import os from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { createGzip } from "node:zlib";
import { openBackup } from "../../src/cli/backup-reader.ts";
import { sealing, sealOf } from "../../src/cli/backup-seal.ts";
import { openDatabase } from "../../src/db/database.ts";
import { sql } from "../../src/db/sql.ts";
import { createSealer } from "../../src/lib/seal.ts";
import { createTestDatabase } from "../harness.ts";
import { launch } from "../process/launch.ts";
import { startSession, type Session } from "./command-session.ts";

/** Where a backup is written to, and what is left when it is broken off. */
const folder = mkdtempSync(path.join(os.tmpdir(), "parley-place-"));
let database: Awaited<ReturnType<typeof createTestDatabase>>;
let environment: Record<string, string>;
let session: Session;

before(async () => {
  database = await createTestDatabase();
  environment = {
    DATABASE_URL: database.url,
    PARLEY_MASTER_KEY: randomBytes(32).toString("base64"),
    PARLEY_DATA_DIR: path.join(folder, "data"),
  };
  session = startSession(environment);
});
after(async () => {
  await session[Symbol.asyncDispose]();
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

test("what is there and no file stays what it is; a link stays one, and leads to the backup", async () => {
  const device = path.join(folder, "device");
  const listener = createServer().listen(device);
  await once(listener, "listening");
  for (const place of [device, folder]) {
    const { code, stderr } = await session.run("backup", place);
    assert.equal(code, 2);
    assert.match(
      stderr,
      /^parley: \S+ exists and is not a file: name a file to write the backup to\n$/,
    );
  }
  assert.ok(lstatSync(device).isSocket());
  listener.close();

  const old = path.join(folder, "old.gz");
  const latest = path.join(folder, "latest.gz");
  assert.equal((await session.run("backup", old)).code, 0);
  rmSync(latest, { force: true });
  symlinkSync(old, latest);
  const before = statSync(old).ino;
  assert.equal((await session.run("backup", latest)).code, 0);
  assert.ok(lstatSync(latest).isSymbolicLink());
  assert.notEqual(statSync(old).ino, before, "written anew, where the link leads");
});

test("a place that cannot be written is a sentence with the name that was given", async () => {
  const file = path.join(folder, "none", "b.gz");
  const { code, stderr } = await session.run("backup", file);
  const words = `${file} cannot be written: there is no such file or folder (ENOENT)`;
  assert.deepEqual([code, stderr], [2, `parley: ${words}\n`]);
});

test("a backup is verified with the key alone, where the database is away", async () => {
  const file = path.join(folder, "kept.gz");
  assert.equal((await session.run("backup", file)).code, 0);
  const away = { ...environment, DATABASE_URL: "postgres://u@127.0.0.1:1/d" };
  await using elsewhere = startSession(away);
  const { code, stdout, stderr } = await elsewhere.run("backup", "verify", file, "--json");
  assert.deepEqual([code, stderr], [0, ""]);
  assert.equal(
    (JSON.parse(stdout) as { thisVersionRestoresIt: boolean }).thisVersionRestoresIt,
    true,
  );
  const none = path.join(folder, "none");
  const keyless = await launch("cli/main.ts", ["backup", "verify", file], {
    PARLEY_DATA_DIR: none,
  }).ended;
  assert.match(keyless.stderr, /^parley: verifying needs the master key[^\n]+\n$/);
  assert.equal(existsSync(none), false, "no key is made");
  const { stderr: refused } = await elsewhere.run("backup", "verify", folder);
  assert.equal(refused, "parley: a file cannot be read: it is a folder (EISDIR)\n");
});

/** Writes a backup once more, with a table of the operator's own as earlier versions had it. */
async function addTable(file: string, to: string): Promise<void> {
  const sealer = createSealer(Buffer.from(environment["PARLEY_MASTER_KEY"] ?? "", "base64"));
  const { header, lines } = await openBackup({ sealer }, file);
  const all: string[] = [];
  for await (const line of lines) all.push(line);
  assert.equal(all.filter((line) => line.includes("zz_report")).length, 0);
  const end = JSON.parse(all.pop() ?? "") as { rows: number };
  all.push('{"table":"zz_report","columns":["n"]}', '{"n":7}');
  all.push(JSON.stringify({ ...end, rows: end.rows + 1 }));
  const line = JSON.stringify(header);
  const target = createWriteStream(to);
  target.write(`${line}\n`);
  const seal = sealing(sealOf(sealer, line, header.salt ?? ""));
  await pipeline(Readable.from(all.map((one) => `${one}\n`)), createGzip(), seal, target);
}

test("tables of the operator's own are in no backup, and a restore leaves out those of an earlier one", async () => {
  const [own, empty] = [await createTestDatabase(), await createTestDatabase()];
  const db = openDatabase({ connectionString: own.url });
  const other = openDatabase({ connectionString: empty.url });
  const at = (url: string) => startSession({ ...environment, DATABASE_URL: url });
  const file = path.join(folder, "own.gz");
  try {
    await using source = at(own.url);
    await using target = at(empty.url);
    const made = await source.run("workspace", "create", "--name", "A", "--json");
    const { id } = JSON.parse(made.stdout) as { id: string };
    await db.query(sql`create table zz_report (workspace_id uuid, n integer)`);
    await db.query(sql`insert into zz_report values (${id}, 7)`);
    assert.equal((await source.run("backup", file)).code, 0);
    const earlier = path.join(folder, "earlier.gz");
    await addTable(file, earlier);
    const { code, stdout, stderr } = await target.run("restore", earlier, "--json");
    assert.deepEqual([code, stderr], [0, ""]);
    assert.deepEqual((JSON.parse(stdout) as { leftOut: string[] }).leftOut, ["zz_report"]);
    const names = sql`select relname as name from pg_class where relname like 'zz%'`;
    assert.deepEqual(await other.query(names), []);
    // Neither does a deletion touch them.
    const gone = await source.run("workspace", "delete", id, "--name", "A");
    assert.equal(gone.code, 0, gone.stderr);
    assert.deepEqual(await db.query(sql`select n from zz_report`), [{ n: 7 }]);
  } finally {
    await db.close();
    await other.close();
    await own.drop();
    await empty.drop();
  }
});

test("two that write the same file do not write into each other's; one broken off leaves nothing", async () => {
  const db = openDatabase({ connectionString: database.url, poolSize: 1 });
  const file = path.join(folder, "both.gz");
  const held = () => readdirSync(folder).filter((name) => name.startsWith("both.gz."));
  try {
    await db.transaction(async (tx) => {
      // Both have begun and can write no row.
      await tx.query(sql`lock table workspace in access exclusive mode`);
      const both = [1, 2].map(() => launch("cli/main.ts", ["backup", file], environment));
      for (const deadline = Date.now() + 180_000; held().length < 2; await sleep(20))
        assert.ok(Date.now() < deadline, `two drafts, not ${held().join()}`);
      for (const { child } of both) child.kill("SIGINT");
      for (const { ended } of both) assert.equal((await ended).code, 130);
    });
  } finally {
    await db.close();
  }
  assert.deepEqual(held(), []);
});
