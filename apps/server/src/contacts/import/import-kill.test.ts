import { LONG } from "../../../test/group.ts";
import { OPERATOR } from "../../actor.ts";
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { startTestApp, type TestApp } from "../../../test/harness.ts";
import { sql } from "../../db/sql.ts";
import { createContact } from "../record/create-contact.ts";
import { createWorkspace } from "../../workspaces/create-workspace.ts";
import { csvOf, fileOf, stateOf } from "./import-crash.fixture.ts";
import { listImports, runImport } from "./run-import.ts";

let t: TestApp;
before(async () => void (t = await startTestApp()));
after(() => t[Symbol.asyncDispose]());

/** The phone of a row after so many that is good, and that no other row has. */
const stopAfter = (rows: number): string => {
  let n = Math.ceil(rows / 10) * 10;
  while (n % 37 === 5) n += 10;
  return String(96_550_000_000 + n);
};
const workspace = async () => (await createWorkspace(OPERATOR, t.app, { name: "A" })).id;

/** In the long suite and in the short one. Each takes at least one batch of the rows. */
const KILLS = LONG ? 5 : 2;
const ROWS = LONG ? 12_000 : 6_000;

test(
  `the command, interrupted once and killed ${KILLS} times, ends like one without interruption`,
  { timeout: 900_000 },
  async () => {
    const folder = await mkdtemp(path.join(tmpdir(), "parley-import-"));
    try {
      const text = csvOf(ROWS);
      // Known before, with the same phone as a row of each part: the command stops there while somebody holds them.
      const stops = Array.from({ length: 1 + KILLS }, (_, n) =>
        stopAfter((ROWS * (n + 1)) / (KILLS + 2)),
      );
      const known = async () => {
        const w = await workspace();
        for (const phone of stops) await createContact(OPERATOR, t.app, w, { phone });
        return w;
      };
      const calm = await known();
      await runImport(OPERATOR, t.app, calm, await fileOf(text), { format: "csv" });
      const w = await known();
      const name = path.join(folder, "people.csv");
      const rejects = path.join(folder, "rejects.csv");
      await writeFile(name, text);
      const masterKey = Buffer.alloc(32, 7).toString("base64");
      const start = () =>
        spawn(
          process.execPath,
          [
            path.resolve(import.meta.dirname, "../../cli/main.ts"),
            "contacts",
            "import",
            name,
            "--workspace",
            w,
            "--rejects",
            rejects,
            "--json",
          ],
          {
            env: {
              ...process.env,
              DATABASE_URL: t.databaseUrl,
              PARLEY_DATA_DIR: folder,
              PARLEY_MASTER_KEY: masterKey,
            },
            stdio: ["ignore", "ignore", "pipe"],
          },
        );
      const position = async (): Promise<number> => (await listImports(t.app, w))[0]?.rows ?? 0;
      for (let kill = 1; kill <= 1 + KILLS; kill++) {
        const before = await position();
        // However busy the machine is, it is not done before the signal.
        const held = Promise.withResolvers<void>();
        const goesOn = Promise.withResolvers<void>();
        const holding = t.app.db.transaction(async (tx) => {
          await tx.query(sql`
            select 1 from contact where workspace_id = ${w} and phone = ${stops[kill - 1] ?? ""} for update`);
          held.resolve();
          await goesOn.promise;
        });
        await held.promise;
        const child = start();
        let told = "";
        child.stderr.on("data", (data: Buffer) => (told += data.toString()));
        const ended = once(child, "close");
        // First one batch after the beginning, then at any moment of the next one.
        while ((await position()) === before) {
          if (child.exitCode !== null) goesOn.resolve();
          assert.equal(child.exitCode, null, told);
          await t.app.db.query(sql`select pg_sleep(0.02)`);
        }
        for (let wait = Math.random() * 40; wait > 0; wait--) await t.app.db.query(sql`select 1`);
        child.kill(kill === 1 ? "SIGINT" : "SIGKILL");
        if (kill > 1) await ended;
        goesOn.resolve();
        const [[code, signal]] = await Promise.all([ended, holding]);
        if (kill === 1) {
          assert.equal(code, 130, told);
          assert.match(
            told,
            /^parley: interrupted after \d+ rows; the same command goes on from there\n$/,
          );
        } else assert.equal(signal, "SIGKILL", `the import was still running: ${told}`);
      }
      assert.ok((await position()) < ROWS);
      const last = start();
      const [code] = await once(last, "exit");
      assert.equal(code, 0);
      assert.deepEqual(await stateOf(t.app, w), await stateOf(t.app, calm));
      const refused = (await readFile(rejects, "utf8")).trimEnd().split("\r\n");
      assert.equal(refused.length - 1, (await listImports(t.app, w))[0]?.refused);
    } finally {
      await rm(folder, { recursive: true });
    }
  },
);
