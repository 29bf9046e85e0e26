import assert from "node:assert/strict";
import { copyFileSync, existsSync, mkdirSync, statSync } from "node:fs";
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import path from "node:path";
import { test } from "node:test";
import { mayRead } from "../../src/db/postgres-binaries.ts";
import { LONG } from "../group.ts";
import { cli, ELSEWHERE, names, ready } from "./commands.ts";
import { launch, privateFolder } from "./launch.ts";

test("start, commands beside it, refusal of a second, clean stop, and everything found again", async () => {
  using folder = privateFolder();
  // Longer than a socket's path may be, in a folder that nobody else may enter.
  const dataDir = path.join(folder.path, "long".repeat(25), "data");
  const first = launch("main.ts", [], { PARLEY_DATA_DIR: dataDir, ...ELSEWHERE });
  const url = await first.serves;
  assert.equal(await ready(url), 200);
  assert.equal(statSync(path.join(dataDir, "master.key")).mode & 0o777, 0o600);

  const refused = await launch("main.ts", [], { PARLEY_DATA_DIR: dataDir }).ended;
  assert.equal(refused.code, 1);
  assert.match(
    refused.stderr,
    /^parley: the data folder \S+ is in use by a running Parley [^\n]+\n$/,
  );

  await cli(dataDir, "workspace", "create", "--name", "Beside");
  const begun = performance.now();
  first.child.kill("SIGTERM");
  const { code, stderr } = await first.ended;
  assert.deepEqual([code, stderr], [0, ""]);
  assert.ok(performance.now() - begun < 60_000);
  assert.equal(existsSync(path.join(dataDir, "postgres/postmaster.pid")), false);

  await cli(dataDir, "workspace", "create", "--name", "Alone");
  assert.deepEqual(names(await cli(dataDir, "workspace", "list")), ["Beside", "Alone"]);
  // One of them runs the database for all, and ends it after the last.
  const lists = Array.from({ length: LONG ? 4 : 2 }, () => cli(dataDir, "workspace", "list"));
  for (const list of await Promise.all(lists)) assert.equal(names(list).length, 2);
  assert.equal(existsSync(path.join(dataDir, "postgres/postmaster.pid")), false);

  const file = path.join(folder.path, "backup.gz");
  await cli(dataDir, "backup", file);
  const other = path.join(folder.path, "other");
  mkdirSync(other);
  copyFileSync(path.join(dataDir, "master.key"), path.join(other, "master.key"));
  await cli(other, "restore", file);
  assert.deepEqual(names(await cli(other, "workspace", "list")), ["Beside", "Alone"]);
  const full = await launch("cli/main.ts", ["restore", file], { PARLEY_DATA_DIR: other }).ended;
  assert.equal(full.code, 2);
  assert.match(full.stderr, /^parley: the database is not empty[^\n]+\n$/);
});

test("a start that finds its data says where to sign in and how to make another key", async () => {
  using folder = privateFolder();
  const environment = { PARLEY_DATA_DIR: path.join(folder.path, "data"), ...ELSEWHERE };
  const printed: string[] = [];
  for (const demo of ["on", "off"]) {
    const app = launch("main.ts", [], { ...environment, PARLEY_DEMO: demo });
    const url = await app.serves;
    app.child.kill("SIGTERM");
    const { code, stdout } = await app.ended;
    assert.equal(code, 0);
    printed.push(stdout.replaceAll(url, "URL"));
  }
  const again = "Sign in at URL\nAnother API key: ./bin/parley key create --workspace ID ";
  assert.deepEqual(
    printed.map((one) => one.includes(again)),
    [false, true],
  );
});

const nobody = { uid: 65534, gid: 65534 };
const hindered =
  process.getuid?.() !== 0
    ? "only root becomes another user"
    : mayRead(import.meta.filename, nobody)
      ? false
      : "another user may not look into this clone";
test("it runs as an ordinary user", { skip: hindered }, async () => {
  using folder = privateFolder(nobody);
  const app = launch(
    "main.ts",
    [],
    { PARLEY_DATA_DIR: `${folder.path}/data`, HOME: folder.path },
    nobody,
  );
  assert.equal(await ready(await app.serves), 200);
  app.child.kill("SIGTERM");
  assert.equal((await app.ended).code, 0);
});

test("a start that cannot be says why, in one line each, and leaves nothing running", async () => {
  using folder = privateFolder();
  const dataDir = `${folder.path}/data`;
  const bad = await launch("main.ts", [], {
    PORT: "x",
    LOG_LEVEL: "loud",
    PARLEY_DATA_DIR: dataDir,
  }).ended;
  assert.equal(bad.code, 1);
  assert.match(bad.stderr, /^parley: PORT takes [^\n]+\nparley: LOG_LEVEL takes [^\n]+\n$/);
  for (const [word, code, stream] of [
    ["--help", 0, "stdout"],
    ["--port=4000", 2, "stderr"],
  ] as const) {
    const told = await launch("main.ts", [word], { PARLEY_DATA_DIR: dataDir }).ended;
    assert.equal(told.code, code);
    assert.match(told[stream], /^parley: the server takes no arguments\. [^\n]+\n$/);
  }
  assert.equal(existsSync(dataDir), false);

  const away = launch("main.ts", [], {
    DATABASE_URL: "postgres://u:secret@127.0.0.1:1/d",
    PARLEY_MASTER_KEY: Buffer.alloc(32).toString("base64"),
    PARLEY_DATA_DIR: dataDir,
  });
  // It may be about to come up: the start waits and says so, and can be stopped.
  if (away.child.stdout) await once(away.child.stdout, "data");
  away.child.kill("SIGTERM");
  const waited = await away.ended;
  assert.deepEqual([waited.code, waited.stderr], [0, ""]);
  assert.match(waited.stdout, /ECONNREFUSED 127\.0\.0\.1:1","msg":"[^"]*waiting for it"/);
  assert.doesNotMatch(waited.stdout, /secret/);
  for (const words of [["doctor", "--json"], ["migrate"]]) {
    const command = await launch("cli/main.ts", words, {
      DATABASE_URL: "postgres://u:secret@127.0.0.1:1/d",
      PARLEY_MASTER_KEY: Buffer.alloc(32).toString("base64"),
      PARLEY_DATA_DIR: dataDir,
    }).ended;
    assert.deepEqual([command.code, command.stdout], [2, ""]);
    const said = /^parley: DATABASE_URL: the database cannot be used: [^\n]*ECONNREFUSED[^\n]*\n$/;
    assert.match(command.stderr, said);
  }

  const occupied = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => occupied.once("listening", resolve));
  const { port } = occupied.address() as AddressInfo;
  const taken = await launch("main.ts", [], {
    PORT: String(port),
    PARLEY_DATA_DIR: dataDir,
    PARLEY_ROEL: "api",
  }).ended;
  occupied.close();
  const [first = "{}"] = taken.stdout.split("\n");
  const { level, setting, nearest } = JSON.parse(first) as Record<string, unknown>;
  assert.deepEqual([level, setting, nearest], [40, "PARLEY_ROEL", "PARLEY_ROLE"]);
  assert.equal(taken.code, 1);
  assert.match(taken.stderr, /^parley: PORT \d+ on 127\.0\.0\.1 is taken; set another PORT\n$/);
  assert.equal(existsSync(path.join(dataDir, "postgres/postmaster.pid")), false);
});

test("where no data are, a command says which setting to look at and makes none; one that opens a workspace begins there", async () => {
  using folder = privateFolder();
  const dataDir = path.join(folder.path, "data");
  for (const words of [
    ["workspace", "list", "--json"],
    ["user", "create", "--workspace", "x", "--email", "a@b.co", "--name", "A", "--role", "owner"],
    ...(LONG ? [["doctor"], ["set-up-link"], ["key", "rotate-master"]] : []),
  ]) {
    const done = await launch("cli/main.ts", words, { PARLEY_DATA_DIR: dataDir }).ended;
    assert.deepEqual([done.code, done.stdout], [2, ""], words.join(" "));
    assert.match(
      done.stderr,
      /^parley: there is no data at \S+\/data: set PARLEY_DATA_DIR [^\n]+\n$/,
    );
    assert.equal(existsSync(dataDir), false);
  }
  await cli(dataDir, "workspace", "create", "--name", "First");
  assert.deepEqual(names(await cli(dataDir, "workspace", "list")), ["First"]);
});

test("a mistake on the command line is one line on stderr and status 2", async () => {
  using folder = privateFolder();
  const more = [
    ["key"],
    ["key", "crate"],
    ["workspace", "create", "--json"],
    ["workspace", "update", "x", "--limit", "mesages=1"],
    ["workspace", "update", "x", "--limit", "messages=1=2"],
  ];
  for (const parameters of [
    [],
    ...(LONG ? more : []),
    ["workspace", "create", "--name", "A", "--plan", "gold", "--json"],
    ["key", "create", "--workspace", "x", "--expires-at", "2090-02-31T00:00:00Z"],
  ]) {
    const done = await launch("cli/main.ts", parameters, { PARLEY_DATA_DIR: folder.path }).ended;
    assert.deepEqual([done.code, done.stdout], [2, ""], parameters.join(" "));
    assert.match(done.stderr, /^parley: [^\n]+\n$/);
  }
});
