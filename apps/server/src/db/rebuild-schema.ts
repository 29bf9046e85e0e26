import type { Queryable, Tx } from "./database.ts";
import { listMigrations } from "./migrations.ts";
import { isOurFunction, isOurTable } from "./our-tables.ts";
import { sql } from "./sql.ts";
import { VERSION } from "../version.ts";

/*
 * An older backup is read into the schema that it was made of, which is then brought up to this version, all in the
 * transaction of the restore.
 */

/** Replaces the schema of an empty database by what these migrations make. Throws when one of them is not known. */
export async function rebuildSchema(tx: Tx, names: readonly string[]): Promise<void> {
  const [place] = await tx.query<{ schema: string }>(sql`
    select quote_ident(nspname) as schema from pg_namespace
    where oid = (select relnamespace from pg_class where oid = 'workspace'::regclass)`);
  const schema = place?.schema ?? "public";
  await tx.script((await dropsOf(tx, schema)).join("; "));
  await tx.script(`set local search_path = ${schema}, public`);
  await tx.script(
    "create table migration (name text primary key, applied_at timestamptz not null default now())",
  );
  await applyMigrations(tx, names);
}

/** What drops our tables, functions and collations. Those of extensions stay, and so do tables of the operator's own. */
async function dropsOf(tx: Queryable, schema: string): Promise<string[]> {
  const rows = await tx.query<{ text: string }>(sql`
    select format('drop table if exists %s cascade', c.oid::regclass) as text from pg_class c
    where c.relnamespace = ${schema}::regnamespace and c.relkind in ('r', 'p')
      and ${isOurTable(sql`c.relname`)}
    union all
    select format('drop function if exists %s cascade', p.oid::regprocedure) from pg_proc p
    where p.pronamespace = ${schema}::regnamespace and ${isOurFunction(sql`p.proname`)}
      and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
    union all
    select format('drop collation if exists %s cascade', c.oid::regcollation) from pg_collation c
    where c.collnamespace = ${schema}::regnamespace`);
  return rows.map(({ text }) => text);
}

/** Applies these migrations in their order, and records them. */
export async function applyMigrations(tx: Tx, names: readonly string[]): Promise<void> {
  const known = new Map(listMigrations().map((one) => [one.name, one]));
  await tx.query(sql`set local client_min_messages = warning`);
  for (const name of names) {
    const migration = known.get(name);
    if (!migration) throw new Error(`this version has no migration ${name}`);
    await tx.script(migration.text);
    await tx.query(sql`insert into migration (name) values (${name})`);
    // Later migrations added the columns for the hash and the version.
    const columns = await tx.query<{ name: string }>(sql`
      select attname as name from pg_attribute
      where attrelid = 'migration'::regclass and attname in ('hash', 'version') and not attisdropped`);
    for (const column of columns)
      await (column.name === "hash"
        ? tx.query(sql`update migration set hash = ${migration.hash} where name = ${name}`)
        : tx.query(sql`update migration set version = ${VERSION} where name = ${name}`));
  }
}
