import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { OPERATOR } from "../../src/actor.ts";
import { createKey } from "../../src/api-keys/create-key.ts";
import { buildApp } from "../../src/app.ts";
import { parseConfig } from "../../src/config.ts";
import { createWorkspace } from "../../src/workspaces/create-workspace.ts";
import { eventually } from "../crash/shop.ts";
import { LONG } from "../group.ts";
import { freePort } from "../free-port.ts";
import { createTestDatabase } from "../harness.ts";
import { launch, privateFolder } from "../process/launch.ts";
import { queryOnce } from "./patroni.ts";

const NOBODY = { uid: 65534, gid: 65534 };

/** The version of the PgBouncer that is installed, as a number (1.18.0: 118), or null. */
function versionHere(): number | null {
  try {
    const [, major, minor] =
      /PgBouncer (\d+)\.(\d+)/.exec(execFileSync("pgbouncer", ["--version"]).toString()) ?? [];
    return Number(major) * 100 + Number(minor);
  } catch {
    return null;
  }
}

const version = versionHere();
/** Since then it supports prepared statements in transaction mode. */
const PREPARED = 121;

function skip(wanted: boolean, why: string): string | false {
  if (!LONG) return "a case of the long suite";
  if (version === null) return "PgBouncer is not installed";
  return wanted ? false : why;
}

/** A PgBouncer before the database at that address. It ends with the block. */
async function startPooler(
  databaseUrl: string,
  settings: readonly string[],
): Promise<AsyncDisposable & { url: string }> {
  const folder = privateFolder(process.getuid?.() === 0 ? NOBODY : undefined);
  const port = await freePort();
  const { searchParams } = new URL(databaseUrl.replace("@/", "@socket/"));
  const file = path.join(folder.path, "pgbouncer.ini");
  const lines = [
    "[databases]",
    `* = host=${searchParams.get("host")} user=postgres`,
    "[pgbouncer]",
    "listen_addr = 127.0.0.1",
    `listen_port = ${port}`,
    "unix_socket_dir =",
    "auth_type = any",
    ...settings,
  ];
  writeFileSync(file, lines.join("\n"));
  const child = spawn("pgbouncer", ["--quiet", file], {
    stdio: "ignore",
    ...(process.getuid?.() === 0 && NOBODY),
  });
  const url = databaseUrl.replace(/@\/(\w+)\?.*$/, `@127.0.0.1:${port}/$1`);
  await eventually("the pooler", 60_000, () => queryOnce(url, "select 1").catch(() => null));
  return {
    url,
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null) {
        child.kill("SIGKILL");
        await once(child, "exit");
      }
      folder[Symbol.dispose]();
    },
  };
}

/** A server behind a pooler accepts, reads what it accepted, and stops when it is asked to. */
async function serves(settings: readonly string[]): Promise<void> {
  const database = await createTestDatabase();
  using folder = privateFolder();
  const masterKey = randomBytes(32);
  try {
    await using pooler = await startPooler(database.url, settings);
    const environment = {
      DATABASE_URL: pooler.url,
      PARLEY_MASTER_KEY: masterKey.toString("base64"),
      PARLEY_DATA_DIR: folder.path,
    };
    const server = launch("main.ts", [], environment);
    try {
      const base = await server.serves;
      const texts = Object.entries({ ...environment, LOG_LEVEL: "silent" });
      const config = parseConfig(new Map(texts.map(([name, text]) => [name, { text, base: "/" }])));
      await using app = await buildApp(config, { masterKey });
      const { id } = await createWorkspace(OPERATOR, app, { name: "Pooled", plan: "business" });
      const { bearer } = await createKey(OPERATOR, app, id);
      const headers = { authorization: `Bearer ${bearer}`, "content-type": "application/json" };
      const phones = Array.from({ length: 60 }, (_, n) => `9655${String(n).padStart(7, "0")}`);
      const answers = await Promise.all(
        phones.map(async (phone) => {
          const body = JSON.stringify({ phone });
          return fetch(`${base}/api/v1/contacts`, { method: "POST", headers, body });
        }),
      );
      assert.deepEqual(
        answers.filter(({ status }) => status !== 201).map(({ status }) => status),
        [],
      );
      const list = await fetch(`${base}/api/v1/contacts?pageSize=100`, { headers });
      const { items } = (await list.json()) as { items: { phone: string }[] };
      assert.deepEqual(items.map(({ phone }) => phone).toSorted(), phones);
    } finally {
      server.child.kill("SIGTERM");
      assert.equal((await server.ended).code, 0);
    }
  } finally {
    await database.drop();
  }
}

test(
  "a start behind PgBouncer in transaction mode without prepared statements is refused, with the reason",
  { skip: skip((version ?? 0) < PREPARED, "this PgBouncer supports prepared statements") },
  async () => {
    const database = await createTestDatabase();
    using folder = privateFolder();
    try {
      await using pooler = await startPooler(database.url, ["pool_mode = transaction"]);
      const server = launch("main.ts", [], {
        DATABASE_URL: pooler.url,
        PARLEY_MASTER_KEY: randomBytes(32).toString("base64"),
        PARLEY_DATA_DIR: folder.path,
      });
      const { code, stderr } = await server.ended;
      assert.equal(code, 1);
      assert.match(stderr, /mixes up prepared statements .*session mode, or PgBouncer 1\.21/);
    } finally {
      await database.drop();
    }
  },
);

test("a server serves behind PgBouncer in session mode", { skip: skip(true, "") }, () =>
  serves(["pool_mode = session", "default_pool_size = 40"]),
);

test(
  "a server serves behind PgBouncer in transaction mode with prepared statements",
  { skip: skip((version ?? 0) >= PREPARED, "PgBouncer is older than 1.21") },
  () => serves(["pool_mode = transaction", "max_prepared_statements = 200"]),
);
