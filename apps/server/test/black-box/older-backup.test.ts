import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { gzipSync } from "node:zlib";
import { listTables, readRows } from "../../src/cli/backup-store.ts";
import { openDatabase } from "../../src/db/database.ts";
import { compareCatalogues, readCatalogue } from "../../src/db/catalogue.ts";
import { migrate } from "../../src/db/migrate.ts";
import { expectedCatalogue, listMigrations } from "../../src/db/migrations.ts";
import { sql } from "../../src/db/sql.ts";
import { masterKeyMark } from "../../src/lib/seal.ts";
import { LONG } from "../group.ts";
import { createTestDatabase } from "../harness.ts";
import { startSession } from "./command-session.ts";

/** Backups of earlier versions: they are read into the schema that they were made of, which is then brought up to date. */
const folder = mkdtempSync(path.join(os.tmpdir(), "parley-older-"));
after(() => rmSync(folder, { recursive: true, force: true }));
const env = { PARLEY_MASTER_KEY: randomBytes(32).toString("base64") };
const WORKSPACE = "01a1fe4e-0000-7000-8000-000000000001";
const CONTACT = "01a1fe4e-0000-7000-8000-000000000002";

/** The lines of a backup as a version with only these migrations wrote it, without a seal. */
async function backupOf(names: readonly string[]): Promise<Buffer> {
  const known = listMigrations().filter(({ name }) => names.includes(name));
  const database = await createTestDatabase("template0");
  await migrate(database.url, undefined, { known });
  const db = openDatabase({ connectionString: database.url });
  try {
    const at = new Date("2026-05-01T10:00:00Z");
    await db.query(sql`insert into workspace (id, name, plan, created_at)
      values (${WORKSPACE}, 'Al Noor', 'growth', ${at})`);
    await db.query(sql`insert into contact (workspace_id, id, name, search, created_at, updated_at)
      values (${WORKSPACE}, ${CONTACT}, 'سارة', '', ${at}, ${at})`);
    const lines: string[] = [];
    let rows = 0;
    await db.transaction(async (tx) => {
      for (const { name, columns } of await listTables(tx)) {
        lines.push(JSON.stringify({ table: name, columns }));
        for await (const page of readRows(tx, { name, columns })) {
          lines.push(...page);
          rows += page.length;
        }
      }
    });
    assert.ok(rows >= 2);
    const key = masterKeyMark(Buffer.from(env.PARLEY_MASTER_KEY, "base64"));
    const header = { parley: "backup", format: 2, migrations: names, createdAt: at, key };
    const end = { end: true, rows, files: 0 };
    const all = [JSON.stringify(header), ...lines, JSON.stringify(end)];
    return gzipSync(`${all.join("\n")}\n`);
  } finally {
    await db.close();
    await database.drop();
  }
}

const ALL = listMigrations().map(({ name }) => name);

for (const last of LONG ? ["0001", "0019", "0045", "0074"] : ["0001", "0074"])
  test(`a backup from when ${last} was the newest migration is restored, and the schema is this version's`, async () => {
    const file = path.join(folder, `${last}.gz`);
    writeFileSync(file, await backupOf(ALL.filter((name) => name.slice(0, 4) <= last)));
    const target = await createTestDatabase();
    const session = startSession({
      ...env,
      DATABASE_URL: target.url,
      PARLEY_DATA_DIR: path.join(folder, last),
    });
    const db = openDatabase({ connectionString: target.url });
    try {
      const { code, stderr } = await session.run("restore", "--unsealed", file);
      assert.equal(code, 0, stderr);
      const differences = compareCatalogues(
        expectedCatalogue(listMigrations()),
        await readCatalogue(db),
      );
      assert.deepEqual(differences, []);
      assert.deepEqual(
        await db.query(sql`select w.name, c.name as contact from workspace w
          join contact c on c.workspace_id = w.id`),
        [{ name: "Al Noor", contact: "سارة" }],
      );
      const listed = await session.run("workspace", "list", "--json");
      assert.match(listed.stdout, /Al Noor/, listed.stderr);
      assert.match((await session.run("restore", "--unsealed", file)).stderr, /is not empty/);
    } finally {
      await session[Symbol.asyncDispose]();
      await db.close();
      await target.drop();
    }
  });
