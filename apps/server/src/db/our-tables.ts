import { listMigrations } from "./migrations.ts";
import { sql, type Sql } from "./sql.ts";

/*
 * What is Parley's in its schema. An operator may have tables there of their own (docs/guides/upgrading.md), which no
 * backup, restore or deletion touches.
 */

interface Known {
  readonly migrations: readonly string[];
  readonly tables: readonly string[];
  readonly functions: readonly string[];
}

let known: Known | undefined;
function all(): Known {
  if (known) return known;
  const list = listMigrations();
  const made = list.flatMap(({ changes }) => changes);
  const named = (kind: RegExp) => [...new Set(made.flatMap((line) => kind.exec(line)?.[1] ?? []))];
  known = {
    migrations: list.map(({ name }) => name),
    tables: ["migration", ...named(/^\+ table ([a-z0-9_]+)$/)],
    functions: named(/^\+ function ([a-z0-9_]+)\(/),
  };
  return known;
}

/**
 * Whether a table is one that a migration made, also one that a later migration dropped. Where a newer Parley migrated the
 * database, every table counts as ours: only that one knows which it made.
 */
export const isOurTable = (name: Sql): Sql => sql`(${name}::text = any (${all().tables})
  or exists (select from migration where name <> all (${all().migrations})))`;

/** Whether a function is one that a migration made. */
export const isOurFunction = (name: Sql): Sql => sql`${name}::text = any (${all().functions})`;
