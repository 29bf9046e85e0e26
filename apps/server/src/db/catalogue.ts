import type { Queryable } from "./database.ts";
import { sql } from "./sql.ts";

/** The most differences that are listed. A schema of another version has hundreds. */
const MOST_TOLD = 100;

/**
 * Reads the catalogue of the schema that holds table `migration`: one object a line, sorted, as in `column contact.name
 * text not null`. It is the same from PostgreSQL 15 to 18, in every locale and for every search_path. It leaves out
 * what an operator may tune: the order of columns, storage parameters, statistics, comments, owners.
 */
export async function readCatalogue(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ line: string }>(CATALOGUE);
  return rows.map(({ line }) => line).sort();
}

// PostgreSQL writes a schema before names outside the search_path; it is removed here. PostgreSQL 18 counts NOT NULL
// among the constraints; here it belongs to the column. Objects of extensions are left out.
const CATALOGUE = sql`
  with home as materialized (
    select relnamespace as id from pg_class where oid = to_regclass('migration')
  ), mine as materialized (
    select oid, relname::text as name from pg_class
    where relnamespace = (select id from home) and relkind in ('r', 'p')
  ), keys as materialized (
    select oid, conrelid, conindid, conname, contype from pg_constraint
    where conrelid in (select oid from mine) and contype in ('p', 'u', 'c', 'f', 'x')
  ), qualifiers as materialized (
    select string_agg(case when quote_ident(nspname) = nspname then '\\m' || nspname
      else regexp_replace(quote_ident(nspname), '([^A-Za-z0-9_])', '\\\\\\1', 'g') end || '\\.', '|') as pattern
    from pg_namespace
    where oid in (select id from home
      union select extnamespace from pg_extension where extname in ('pg_trgm', 'btree_gin'))
  ), objects (name, form) as (
    select 'table ' || name, '' from mine
    union all
    select 'column ' || m.name || '.' || a.attname, concat_ws(' ', format_type(a.atttypid, a.atttypmod),
      case when a.attcollation <> t.typcollation then 'collate ' || l.collname end,
      case when a.attnotnull then 'not null' end,
      case when a.attidentity <> '' then 'identity' end,
      case when a.attgenerated <> '' then 'generated' when d.oid is not null then 'default' end,
      pg_get_expr(d.adbin, d.adrelid))
    from mine m
    join pg_attribute a on a.attrelid = m.oid and a.attnum > 0 and not a.attisdropped
    join pg_type t on t.oid = a.atttypid
    left join pg_collation l on l.oid = a.attcollation
    left join pg_attrdef d on d.adrelid = m.oid and d.adnum = a.attnum
    union all
    select 'constraint ' || m.name || '.' || k.conname, pg_get_constraintdef(k.oid)
    from mine m join keys k on k.conrelid = m.oid
    union all
    select 'index ' || m.name || '.' || i.relname, concat_ws(' ',
      case when x.indisunique then 'unique' end,
      substr(def, strpos(def, ' USING ') + 7),
      case when not x.indisvalid then 'invalid' end)
    from mine m
    join pg_index x on x.indrelid = m.oid
    join pg_class i on i.oid = x.indexrelid
    cross join lateral (select pg_get_indexdef(x.indexrelid) as def) as told
    where x.indexrelid not in (select conindid from keys where contype in ('p', 'u', 'x'))
    union all
    select 'function ' || p.proname || '(' || pg_get_function_identity_arguments(p.oid) || ')',
      concat_ws(' ', pg_get_function_result(p.oid), p.provolatile, p.proparallel,
        coalesce(pg_get_function_sqlbody(p.oid), p.prosrc))
    from pg_proc p
    where p.pronamespace = (select id from home) and not exists (
      select from pg_depend e
      where e.classid = 'pg_proc'::regclass and e.objid = p.oid and e.deptype = 'e')
  )
  select rtrim(name || ' ' || regexp_replace(
    regexp_replace(form, (select pattern from qualifiers), '', 'g'), '\\s+', ' ', 'g')) as line
  from objects`;

/**
 * The differences of a catalogue from the expected one, as sentences, in the order of the expected one. Tables,
 * functions and indexes that an operator added are no differences (REINDEX CONCURRENTLY adds an index for a while). A
 * further column or constraint of our tables is one, because it can refuse the rows that we write.
 */
export function compareCatalogues(
  expected: readonly string[],
  actual: readonly string[],
): string[] {
  const wanted = byObject(expected);
  const found = byObject(actual);
  const lost = [...wanted.keys()].filter((object) => !found.has(object));
  // When a table is gone, its columns would only repeat that.
  const gone = new Set(lost.filter((one) => one.startsWith("table ")).map((one) => one.slice(6)));
  const told: string[] = [];
  for (const [object, form] of wanted) {
    const held = found.get(object);
    if (held === undefined) {
      if (object.startsWith("table ") || !gone.has(tableOf(object)))
        told.push(`${object} is missing`);
    } else if (held !== form) told.push(`${object} is "${held}" instead of "${form}"`);
  }
  for (const object of found.keys())
    if (
      /^(column|constraint) /.test(object) &&
      !wanted.has(object) &&
      wanted.has(`table ${tableOf(object)}`)
    )
      told.push(`${object} is not of this version`);
  return told.slice(0, MOST_TOLD);
}

/** `column contact.name` → `contact` */
const tableOf = (object: string): string => object.replace(/^\w+ /, "").replace(/\..*$/, "");

/** Splits each line into the object and its form. A function's name ends with its arguments. */
function byObject(lines: readonly string[]): Map<string, string> {
  return new Map(
    lines.map((line) => {
      const [, object = line, form = ""] = /^(\w+ [^ (]+(?:\([^)]*\))?) ?(.*)$/.exec(line) ?? [];
      return [object, form];
    }),
  );
}
