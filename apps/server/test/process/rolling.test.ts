import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { OPERATOR } from "../../src/actor.ts";
import { createKey } from "../../src/api-keys/create-key.ts";
import { buildApp } from "../../src/app.ts";
import { parseConfig } from "../../src/config.ts";
import { sql } from "../../src/db/sql.ts";
import { VERSION } from "../../src/version.ts";
import { createWorkspace } from "../../src/workspaces/create-workspace.ts";
import { LONG } from "../group.ts";
import { freePort } from "../free-port.ts";
import { createTestDatabase } from "../harness.ts";
import { launch, privateFolder, type Launched } from "./launch.ts";

const ROOT = path.resolve(import.meta.dirname, "../../../..");
const RESTARTS = 10;
const A_SECOND = 50;
/** Each asks 50 times a minute of its 120. */
const KEYS = 60;

const NEXT = "9.0.0";
const SPARE = `9999_spare_beside_${VERSION.replaceAll(".", "_")}.sql`;

/** A tree of this Parley in `folder`, under another version. Gives the folder of its sources. */
function treeOf(folder: string, version: string): string {
  const tree = path.join(folder, version);
  for (const name of ["src", "migrations", "package.json", "openapi.json"])
    cpSync(path.join(ROOT, "apps/server", name), path.join(tree, "apps/server", name), {
      recursive: true,
    });
  for (const name of ["docs", "packages/widget/dist"])
    cpSync(path.join(ROOT, name), path.join(tree, name), { recursive: true });
  const described: object = JSON.parse(readFileSync(path.join(ROOT, "package.json"), "utf8"));
  writeFileSync(path.join(tree, "package.json"), JSON.stringify({ ...described, version }));
  symlinkSync(path.join(ROOT, "node_modules"), path.join(tree, "node_modules"));
  // Pages as an image ships them, so that none are built.
  const pages = path.join(tree, "apps/dashboard/dist/pages");
  mkdirSync(path.join(pages, "assets"), { recursive: true });
  writeFileSync(path.join(pages, "index.html"), "<!doctype html><head></head>");
  return path.join(tree, "apps/server/src");
}

/**
 * Two processes beside traffic, one of this version and one of the next. The next adds to the schema and says that this
 * version runs beside it. `db/migrate.test.ts` holds who is refused.
 */
test(
  "this version and the next restart by turns beside traffic: none answers 5xx, and nothing accepted is lost",
  { skip: !LONG, timeout: 1_800_000 },
  async (t) => {
    using folder = privateFolder();
    const sources = { [VERSION]: treeOf(folder.path, VERSION), [NEXT]: treeOf(folder.path, NEXT) };
    const migrations = path.join(sources[NEXT] ?? "", "../migrations");
    writeFileSync(path.join(migrations, SPARE), "alter table contact add column spare text;\n");
    writeFileSync(
      path.join(migrations, "catalogue", SPARE.replace(/sql$/, "txt")),
      "+ column contact.spare text\n",
    );
    const database = await createTestDatabase();
    const masterKey = randomBytes(32);
    const environment = {
      DATABASE_URL: database.url,
      PARLEY_MASTER_KEY: masterKey.toString("base64"),
      PARLEY_DATA_DIR: path.join(folder.path, "data"),
    };
    const settings = Object.entries(environment).map(
      ([name, text]) => [name, { text, base: folder.path }] as const,
    );
    const quiet = ["LOG_LEVEL", { text: "silent", base: "/" }] as const;
    const app = await buildApp(parseConfig(new Map([...settings, quiet])), { masterKey });
    const ports = [await freePort(), await freePort()] as const;
    const running = new Map<number, Launched>();
    const logs: string[] = [];
    const start = async (port: number, version: string) => {
      const source = sources[version];
      const own = { ...environment, PORT: String(port) };
      const launched = launch("main.ts", [], own, undefined, source);
      running.set(port, launched);
      await launched.serves;
      for (;;) {
        const answer = await fetch(`http://127.0.0.1:${port}/readyz`);
        const ready = (await answer.json()) as { version: string };
        assert.equal(ready.version, version);
        if (answer.status === 200) return;
        await sleep(50);
      }
    };
    const stop = async (port: number) => {
      const launched = running.get(port);
      assert.ok(launched);
      launched.child.kill("SIGTERM");
      const { code, stdout, stderr } = await launched.ended;
      assert.equal(code, 0, stderr);
      logs.push(stdout);
    };

    let over = false;
    try {
      const { id } = await createWorkspace(OPERATOR, app, { name: "Rolling", plan: "business" });
      const bearers: string[] = [];
      for (let n = 0; n < KEYS; n++) bearers.push((await createKey(OPERATOR, app, id)).bearer);
      for (const port of ports) await start(port, VERSION);

      const kept: string[] = [];
      const answers = new Map<string, number>();
      /** Asks one process, and the other when the first one's connection is closed, as a proxy does. */
      const ask = async (turn: number) => {
        const phone = `+9655${10_000_000 + turn}`;
        for (let attempt = 0; ; attempt++) {
          const answer = await fetch(
            `http://127.0.0.1:${ports[(turn + attempt) % 2] ?? 0}/api/v1/contacts`,
            {
              method: "POST",
              headers: {
                authorization: `Bearer ${bearers[turn % KEYS] ?? ""}`,
                "content-type": "application/json",
                "idempotency-key": phone,
              },
              body: JSON.stringify({ phone }),
            },
          ).catch(() => null);
          const kind = String(answer?.status ?? "closed");
          answers.set(kind, (answers.get(kind) ?? 0) + 1);
          await answer?.arrayBuffer().catch(() => {});
          if (answer?.status === 201) kept.push(phone);
          if (answer && answer.status !== 409) return;
          await sleep(20);
        }
      };
      const asking = (async () => {
        const asked: Promise<void>[] = [];
        for (let turn = 0; !over; turn++) {
          asked.push(ask(turn));
          await sleep(1_000 / A_SECOND);
        }
        await Promise.all(asked);
      })();
      for (let n = 0; n < RESTARTS; n++) {
        const port = ports[n % 2] ?? 0;
        await stop(port);
        // The first is the next version; from then on each restart changes which one a process is.
        await start(port, n % 4 === 0 || n % 4 === 3 ? NEXT : VERSION);
      }
      over = true;
      await asking;
      for (const port of ports) await stop(port);

      t.diagnostic(`${RESTARTS} restarts; ${JSON.stringify(Object.fromEntries(answers))}`);
      assert.deepEqual(
        [...answers.keys()].filter((kind) => !["201", "409", "closed"].includes(kind)),
        [],
      );
      const rows = await app.db.query<{ phone: string }>(
        sql`select phone from contact where workspace_id = ${id}`,
      );
      assert.deepEqual(
        rows.map(({ phone }) => phone.replace(/^\+?/, "+")).toSorted(),
        kept.toSorted(),
      );
      const beside = logs.filter((log) => log.includes("was migrated by a newer Parley"));
      assert.ok(beside.length >= 2, "this version did not start on the next one's schema");
    } finally {
      over = true;
      for (const { child } of running.values()) child.kill("SIGKILL");
      await Promise.all([...running.values()].map(({ ended }) => ended));
      await app[Symbol.asyncDispose]();
      await database.drop();
    }
  },
);
