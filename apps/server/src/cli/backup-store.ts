import type { Queryable, Tx } from "../db/database.ts";
import { isOurTable } from "../db/our-tables.ts";
import { Sql, sql } from "../db/sql.ts";

/** A table and the columns that a backup holds. Generated columns are left out. */
export interface Table {
  readonly name: string;
  readonly columns: readonly string[];
}

const PAGE = 500;

// Names come from the catalogue. A name from a backup is used only after it was found there.
const named = (text: string): Sql => new Sql([text], []);
const quoted = (names: readonly string[]) => named(names.map((name) => `"${name}"`).join(", "));
/** The schema of our tables. An operator's PostgreSQL may have given its user another one than `public`. */
const OURS = named("(select relnamespace from pg_class where oid = 'workspace'::regclass)");

/**
 * Every table that a backup holds: all of Parley's, and none of the operator's own. `workspace` comes first, because
 * others refer to it. Unlogged tables hold nothing to keep.
 */
export function listTables(db: Queryable): Promise<Table[]> {
  return db.query<{ name: string; columns: string[] }>(sql`
    select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = ${OURS} and c.relkind = 'r' and c.relpersistence = 'p'
      and ${isOurTable(sql`c.relname`)}
      and c.relname not in ('migration', 'master_key', 'backup_made') and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    group by c.relname order by c.relname <> 'workspace', c.relname`);
}

/** The rows as JSON text, page by page through a cursor. All are of one moment when `tx` is a repeatable read. */
export async function* readRows(tx: Tx, table: Table): AsyncGenerator<readonly string[]> {
  await tx.query(
    named(`declare backup no scroll cursor for
    select row_to_json(t)::text as row from (select ${quoted(table.columns).text} from "${table.name}") t`),
  );
  for (;;) {
    const rows = await tx.query<{ row: string }>(named(`fetch ${PAGE} from backup`));
    if (rows.length === 0) break;
    yield rows.map(({ row }) => row);
  }
  await tx.query(named("close backup"));
}

/**
 * Inserts rows that are JSON text. json_populate_recordset reads each value as the type of its column; json columns
 * keep their exact text. Gives how many rows were inserted.
 */
export async function writeRows(tx: Tx, table: Table, rows: readonly string[]): Promise<number> {
  const [made] = await tx.query<{
    count: number;
  }>(sql`with made as (insert into ${named(`"${table.name}"`)} (${quoted(table.columns)}) overriding system value
    select ${quoted(table.columns)}
    from json_populate_recordset(null::${named(`"${table.name}"`)}, ${`[${rows.join(",")}]`}::json)
    returning 1) select count(*)::int as count from made`);
  return made?.count ?? 0;
}

/**
 * Lets rows be stored before those that they refer to: a backup has its tables in the order of their names, and
 * `knowledge_chunk` precedes `knowledge_source`. Gives a function that checks all of it (SQL state 23503 when a row is
 * missing) and makes the constraints as they were. Call it once all rows are stored, in the same transaction.
 */
export async function deferReferences(tx: Tx): Promise<() => Promise<void>> {
  const early = await tx.query<{ name: string; table: string }>(sql`
    select k.conname as name, c.relname as "table"
    from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_class other on other.oid = k.confrelid
    where c.relnamespace = ${OURS} and ${isOurTable(sql`c.relname`)} and k.contype = 'f' and k.conparentid = 0 and not k.condeferrable
      and other.relname > c.relname and other.relname <> 'workspace'`);
  const alter = async (how: string) => {
    for (const { name, table } of early)
      await tx.query(named(`alter table "${table}" alter constraint "${name}" ${how}`));
  };
  await alter("deferrable initially deferred");
  return async () => {
    await tx.query(sql`set constraints all immediate`);
    await alter("not deferrable");
  };
}

/** Sets each sequence behind the highest number that was restored. */
export async function alignSequences(tx: Tx): Promise<void> {
  const counted = await tx.query<{ name: string; column: string }>(sql`
    select c.relname as name, a.attname as column from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = ${OURS} and ${isOurTable(sql`c.relname`)} and c.relkind = 'r' and a.attidentity <> ''`);
  for (const { name, column } of counted)
    await tx.query(
      named(`select setval(pg_get_serial_sequence('"${name}"', '${column}'),
        (select coalesce(max("${column}"), 0) + 1 from "${name}"), false)`),
    );
}
