import type { Db } from "../db/database.ts";
import { Sql, sql } from "../db/sql.ts";

/** A column of `KEYED_COLUMNS`, and how its rows are found. */
export interface Place {
  readonly table: string;
  readonly column: string;
  /** The primary key, in its order, with its types. */
  readonly key: Readonly<Record<string, string>>;
  readonly also: Readonly<Record<string, string>>;
  /** The type of the column. */
  readonly type: "bytea" | "text";
  /** The rows that may have to be rewritten. */
  readonly when: Sql;
}

/** A row as it is read: its key as text, and the value. */
export interface FoundRow {
  readonly key: readonly string[];
  readonly also: readonly (string | null)[];
  readonly value: Buffer | string;
}

// Names come from `KEYED_COLUMNS` alone.
const raw = (text: string): Sql => new Sql([text], []);
const list = (texts: readonly string[]): Sql => raw(texts.join(", "));

/** The column `text` when it begins so, or any bytea that does not. */
export const whenText = (column: string, begins: string): Sql =>
  sql`starts_with(t.${raw(column)}, ${begins})`;
export const unlessBytes = (column: string, begins: Buffer): Sql =>
  sql`substring(t.${raw(column)} from 1 for ${begins.length}::integer) <> ${begins}::bytea`;

/** Up to `limit` rows behind `after` (null: from the first), in the order of the key. */
export async function selectRows(
  db: Db,
  { table, column, key, also, when }: Place,
  after: readonly string[] | null,
  limit: number,
): Promise<FoundRow[]> {
  const names = Object.keys(key).map((name) => `t.${name}`);
  const text = Object.entries(key).map(([name, type]) =>
    type === "bytea" ? `encode(t.${name}, 'hex')` : `t.${name}::text`,
  );
  const others = Object.values(also).map((one) => `${one}::text`);
  const beyond = after === null ? sql`true` : sql`(${list(names)}) > (${keyValues(key, after)})`;
  return db.query<FoundRow>(sql`
    select array[${list(text)}] as key, array[${list(others)}]::text[] as also, t.${raw(column)} as value
    from ${raw(table)} t where t.${raw(column)} is not null and ${when} and ${beyond}
    order by ${list(names)} limit ${limit}`);
}

function keyValues(key: Place["key"], values: readonly string[]): Sql {
  const parts = Object.values(key).map((type, index) =>
    type === "bytea"
      ? sql`decode(${values[index] ?? ""}::text, 'hex')`
      : sql`${values[index] ?? ""}::text::${raw(type)}`,
  );
  return parts.reduce((all, one) => sql`${all}, ${one}`);
}

/** Stores new values where the old ones still are. Where another row has the new one already, the old row is deleted. */
export async function replaceValues(
  db: Db,
  { table, column, key, type }: Place,
  rows: readonly (FoundRow & { readonly next: Buffer | string })[],
): Promise<number> {
  if (rows.length === 0) return 0;
  const columns = Object.entries(key);
  const arrays = columns.map(([, of], index) => {
    const values = rows.map((row) => row.key[index] ?? "");
    return of === "bytea"
      ? sql`${values.map((one) => Buffer.from(one, "hex"))}::bytea[]`
      : sql`${values}::${raw(of)}[]`;
  });
  const given = sql`unnest(${arrays.reduce((all, one) => sql`${all}, ${one}`)},
    ${rows.map((row) => row.value)}::${raw(type)}[], ${rows.map((row) => row.next)}::${raw(type)}[])
    as n (${list(columns.map((_, index) => `k${index}`))}, old, new)`;
  const matches = list([columns.map(([name], index) => `t.${name} = n.k${index}`).join(" and ")]);
  return db.transaction(async (tx) => {
    if (columns.some(([name]) => name === column)) {
      const rest = columns
        .filter(([name]) => name !== column)
        .map(([name]) => `o.${name} = t.${name}`)
        .join(" and ");
      await tx.query(sql`delete from ${raw(table)} t using ${given} where ${matches}
        and exists (select from ${raw(table)} o where ${raw(rest)} and o.${raw(column)} = n.new)`);
    }
    const done = await tx.query(sql`
      update ${raw(table)} t set ${raw(column)} = n.new from ${given}
      where ${matches} and t.${raw(column)} = n.old returning 1`);
    return done.length;
  });
}
