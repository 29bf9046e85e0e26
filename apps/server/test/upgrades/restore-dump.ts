import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { compareCatalogues, readCatalogue } from "../../src/db/catalogue.ts";
import { openDatabase } from "../../src/db/database.ts";
import { expectedCatalogue, listMigrations } from "../../src/db/migrations.ts";
import { sql } from "../../src/db/sql.ts";
import { startSession } from "../black-box/command-session.ts";
import { createTestDatabase } from "../harness.ts";

/** The master key of the databases that releases leave behind (scripts/release.mjs). */
const MASTER_KEY = Buffer.alloc(32, 7).toString("base64");

/**
 * Restores what a release left behind for later versions to be tested on, and checks that the schema is this version's,
 * that no row was lost on the way and that the demo's conversations can be read.
 */
export async function restoreDump(file: string): Promise<void> {
  const database = await createTestDatabase();
  const dataDir = mkdtempSync(path.join(tmpdir(), "parley-dump-"));
  const settings = { PARLEY_MASTER_KEY: MASTER_KEY, PARLEY_DATA_DIR: dataDir };
  const session = startSession({ ...settings, DATABASE_URL: database.url });
  const db = openDatabase({ connectionString: database.url });
  try {
    const { code, stdout, stderr } = await session.run("restore", file, "--json");
    assert.equal(code, 0, stderr);
    const restored: { rows: number } = JSON.parse(stdout);
    assert.ok(restored.rows > 500, stdout);
    const expected = expectedCatalogue(listMigrations());
    assert.deepEqual(compareCatalogues(expected, await readCatalogue(db)), []);
    const [counts] = await db.query<{ workspaces: number; messages: number }>(sql`
      select (select count(*) from workspace)::int as workspaces,
        (select count(*) from message)::int as messages`);
    assert.ok(counts && counts.workspaces > 0 && counts.messages > 0, JSON.stringify(counts));
    const listed = await session.run("workspace", "list", "--json");
    assert.match(listed.stdout, /Parley demo/, listed.stderr);
  } finally {
    await session[Symbol.asyncDispose]();
    await db.close();
    await database.drop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
