import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import path from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { readHolder } from "../../src/db/data-lock.ts";
import { LONG } from "../group.ts";
import { cli, names, ready } from "./commands.ts";
import { copyFirstStart } from "./first-start.ts";
import { launch, postgresPid, privateFolder } from "./launch.ts";

// The server and its PostgreSQL are killed, together or one of them, or interrupted.

const KILLS = [
  ...(LONG
    ? ([
        ["app", "app"],
        ["both", "both"],
      ] as const)
    : []),
  ["reused", "both"],
] as const;

test("killed outright, together with PostgreSQL or beside it, it starts again with all data", async () => {
  using folder = privateFolder();
  await copyFirstStart(folder.path);
  const dataDir = folder.path;
  for (const [name, how] of KILLS) {
    const app = launch("main.ts", [], { PARLEY_DATA_DIR: dataDir });
    await app.serves;
    await cli(dataDir, "workspace", "create", "--name", name);
    const postgres = postgresPid(dataDir);
    if (how === "both") process.kill(postgres, "SIGKILL");
    app.child.kill("SIGKILL");
    await app.ended;
    if (name === "reused") {
      // The number of the dead PostgreSQL belongs to a stranger now: to this test.
      const file = path.join(dataDir, "postgres/postmaster.pid");
      const stale = readFileSync(file, "utf8").replace(/^\d+/, String(process.pid));
      writeFileSync(file, stale);
    }
  }
  assert.deepEqual(
    names(await cli(dataDir, "workspace", "list")),
    KILLS.map(([name]) => name),
  );
});

test("after the app was killed outright its PostgreSQL ends by itself, and the next start is whole", async () => {
  using folder = privateFolder();
  await copyFirstStart(folder.path);
  const app = launch("main.ts", [], { PARLEY_DATA_DIR: folder.path });
  await app.serves;
  await cli(folder.path, "workspace", "create", "--name", "Kept");
  app.child.kill("SIGKILL");
  await app.ended;
  // A clean end takes the file along.
  const deadline = performance.now() + 180_000;
  while (existsSync(path.join(folder.path, "postgres/postmaster.pid"))) {
    assert.ok(performance.now() < deadline, "it has ended");
    await sleep(20);
  }
  assert.deepEqual(names(await cli(folder.path, "workspace", "list")), ["Kept"]);
});

test("PostgreSQL killed under a running app comes back, and the app serves on", async () => {
  using folder = privateFolder();
  await copyFirstStart(folder.path);
  const app = launch("main.ts", [], { PARLEY_DATA_DIR: folder.path });
  const url = await app.serves;
  const before = postgresPid(folder.path);
  process.kill(before, "SIGKILL");
  const deadline = performance.now() + 180_000;
  while ((await ready(url)) !== 200 || postgresPid(folder.path) === before) {
    assert.ok(performance.now() < deadline, "is ready again");
    await sleep(50);
  }
  app.child.kill("SIGINT");
  assert.equal((await app.ended).code, 0);
});

test("an interrupt stops it cleanly, a second one a second later at once; the next start is whole", async () => {
  using folder = privateFolder();
  const environment = { PARLEY_DATA_DIR: folder.path, PARLEY_DEMO: "off" };
  // While it makes its tables: what the stop breaks off is no fault to tell of.
  const early = launch("main.ts", [], environment);
  while (typeof readHolder(folder.path)?.databaseUrl !== "string") await sleep(5);
  early.child.kill("SIGINT");
  const { code, stderr } = await early.ended;
  assert.deepEqual([code, stderr], [0, ""]);
  // A request in hand keeps the first interrupt waiting: its body is never finished.
  const held = launch("main.ts", [], environment);
  const url = new URL(await held.serves);
  const socket = connect(Number(url.port), url.hostname);
  socket.on("error", () => {});
  socket.write(
    "POST /api/v1/contacts HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\n{",
  );
  // "100 Continue": the server has it.
  await once(socket, "data");
  held.child.kill("SIGINT");
  // Signals within the first second are the same Ctrl-C coming by several ways; a busy machine sees the first late.
  for (const _ of [1, 2]) {
    await sleep(1_200);
    held.child.kill("SIGINT");
  }
  assert.equal((await held.ended).code, 1);
  socket.destroy();
  const next = launch("main.ts", [], environment);
  assert.equal(await ready(await next.serves), 200);
  next.child.kill("SIGINT");
  assert.equal((await next.ended).code, 0);
});
