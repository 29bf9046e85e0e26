import { lowestIdAt } from "../lib/ids.ts";
import type { Queryable } from "./database.ts";
import { literal, sql, type Sql } from "./sql.ts";

/**
 * Deletes up to `limit` rows of a table that were made before `before` and for which `where` (about `o`) is true.
 * Returns how many. The primary key of each workspace finds them, because ids rise with time. So tables that are seldom
 * read need no index for that.
 */
export async function deleteOldRows(
  db: Queryable,
  table: Sql,
  old: { readonly before: Date; readonly where: Sql; readonly limit: number },
): Promise<number> {
  const rows = await db.query(sql`
    delete from ${table} where (workspace_id, id) in (
      select a.workspace_id, a.id from workspace w cross join lateral (
        select o.workspace_id, o.id from ${table} o
        where o.workspace_id = w.id and o.id < ${lowestIdAt(old.before)}::uuid and ${old.where}
        order by o.id limit ${literal(old.limit)} for update skip locked) a
      limit ${literal(old.limit)})
    returning 1`);
  return rows.length;
}
