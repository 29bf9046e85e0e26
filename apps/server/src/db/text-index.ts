import type { Queryable } from "./database.ts";
import { sql } from "./sql.ts";

/**
 * What an operator is told whose database has no letters but A to Z by its LC_CTYPE, whatever its collation: `pg_trgm`
 * goes by that alone, so the index of names has nothing of an Arabic one, and a search for it reads the workspace (2,400 ms
 * for 600 of 300,000 names, and 8 with the index). It works all the same. Null: nothing is to be told.
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
