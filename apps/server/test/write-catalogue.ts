import { writeFile } from "node:fs/promises";
import { readCatalogue } from "../src/db/catalogue.ts";
import { openDatabase } from "../src/db/database.ts";
import { migrate, SchemaDrift } from "../src/db/migrate.ts";
import { catalogueFile, expectedCatalogue, listMigrations } from "../src/db/migrations.ts";
import { startTestPostgres } from "./postgres.ts";

/** `npm run catalogue`: applies the migrations one by one to an empty database and writes down what each changed. */
const postgres = await startTestPostgres();
try {
  for (const [index, { name }] of listMigrations().entries()) {
    // Read anew: the file of the one before was just written.
    const known = listMigrations().slice(0, index + 1);
    // Its own file may be missing or old: that is why we are here, and it stays applied.
    await migrate(postgres.url, undefined, { known }).catch((error: unknown) => {
      if (!(error instanceof SchemaDrift)) throw error;
    });
    const before = new Set(expectedCatalogue(known.slice(0, -1)));
    const after = new Set(await catalogueOf(postgres.url));
    const changes = [
      ...[...before].filter((line) => !after.has(line)).map((line) => `- ${line}\n`),
      ...[...after].filter((line) => !before.has(line)).map((line) => `+ ${line}\n`),
    ];
    await writeFile(catalogueFile(name), changes.join(""));
    process.stdout.write(`${name}: ${changes.length} changes\n`);
  }
} finally {
  await postgres.stop();
}

async function catalogueOf(url: string): Promise<string[]> {
  const db = openDatabase({ connectionString: url, poolSize: 1 });
  try {
    return await readCatalogue(db);
  } finally {
    await db.close();
  }
}
