import type { Queryable } from "../db/database.ts";
import { isOurTable } from "../db/our-tables.ts";
import { Sql, sql } from "../db/sql.ts";

/**
 * Every table of Parley's whose rows belong to a workspace. The catalogue lists them, so that no new table is forgotten. The audit
 * comes last: it tells which workspaces the demo created, so that a deletion of theirs that broke off can be resumed.
 */
export async function listWorkspaceTables(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ name: string }>(sql`select t.table_name as name
    from information_schema.columns t
    join information_schema.tables b on b.table_schema = t.table_schema and b.table_name = t.table_name
    where t.table_schema = current_schema() and t.column_name = 'workspace_id' and b.table_type = 'BASE TABLE'
      and ${isOurTable(sql`t.table_name`)}
    order by t.table_name = 'audit_entry', t.table_name`);
  return rows.map((row) => row.name);
}

/** Deletes up to `limit` rows of the workspace from a table. Gives how many. */
export async function deleteSome(
  db: Queryable,
  table: string,
  workspaceId: string,
  limit: number,
): Promise<number> {
  // A table's name cannot be a parameter. It comes from the catalogue.
  if (!/^[a-z_]+$/.test(table)) throw new Error(`unexpected table name ${table}`);
  const rows = await db.query(
    new Sql(
      [
        `delete from ${table} where ctid = any(array(select ctid from ${table} where workspace_id = `,
        "::uuid limit ",
        ")) returning 1",
      ],
      [workspaceId, limit],
    ),
  );
  return rows.length;
}
