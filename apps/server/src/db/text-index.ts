import type { Queryable } from "./database.ts";
import { sql } from "./sql.ts";

/**
 * The warning for a database whose LC_CTYPE knows only the letters A to Z; null when there is nothing to warn of.
 * `pg_trgm` goes by LC_CTYPE, whatever the collation. Its index of names then holds nothing of an Arabic name, and a
 * search for one reads the whole workspace (2,400 ms for 600 of 300,000 names, and 8 ms with the index). The search
 * still works.
 */
export async function textIndexWarning(db: Queryable): Promise<string | null> {
  const [found] = await db.query<{ ctype: string }>(
    sql`select datctype as ctype from pg_database
      where datname = current_database() and datctype in ('C', 'POSIX')`,
  );
  if (!found) return null;
  return (
    `the database's LC_CTYPE is ${found.ctype}: searches and segments for letters other than A to Z read all contacts of ` +
    `a workspace; move to one made by: create database NAME encoding 'UTF8' lc_ctype 'C.UTF-8' template template0`
  );
}
