import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";

const FOLDER = path.join(import.meta.dirname, "../../migrations");

export interface Migration {
  /** `NNNN_name.sql` */
  readonly name: string;
  readonly text: string;
  /** SHA-256 of its bytes, hex. */
  readonly hash: string;
  /** Its changes of the catalogue: lines of `readCatalogue` after `+ ` or `- `. `npm run catalogue` writes them. */
  readonly changes: readonly string[];
}

/**
 * The oldest version that can start and run on the schema after this migration, as its name ends:
 * `0120_notes_beside_1_1_0.sql`. Null: only a version that has the migration can. The name says it because it is all
 * that an older version has of a newer one.
 */
export function oldestBeside(name: string): string | null {
  const [, ...parts] = /_beside_(\d+)_(\d+)_(\d+)\.sql$/.exec(name) ?? [];
  return parts.length === 0 ? null : parts.join(".");
}

/** The migrations of this version, in order. */
export function listMigrations(): Migration[] {
  return readdirSync(FOLDER)
    .filter((name) => /^\d{4}_[a-z0-9_]+\.sql$/.test(name))
    .sort()
    .map((name) => {
      const text = readFileSync(path.join(FOLDER, name), "utf8");
      const file = catalogueFile(name);
      const changes = existsSync(file) ? readFileSync(file, "utf8").trimEnd().split("\n") : [];
      return { name, text, hash: createHash("sha256").update(text).digest("hex"), changes };
    });
}

/**
 * The catalogue file of a migration. Each has its own, so that two people who each add a migration do not edit the same
 * file.
 */
export const catalogueFile = (name: string): string =>
  path.join(FOLDER, "catalogue", name.replace(/\.sql$/, ".txt"));

/** The lines of the catalogue after these migrations were applied in this order, sorted. */
export function expectedCatalogue(migrations: readonly Migration[]): string[] {
  const lines = new Set<string>();
  for (const change of migrations.flatMap(({ changes }) => changes))
    if (change.startsWith("+ ")) lines.add(change.slice(2));
    else lines.delete(change.slice(2));
  return [...lines].sort();
}
