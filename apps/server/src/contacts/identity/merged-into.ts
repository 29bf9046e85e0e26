import type { Queryable } from "../../db/database.ts";
import { sql } from "../../db/sql.ts";
import { isId } from "../../lib/ids.ts";

/** Who those of these contacts that were merged are now. Null and what is no id name nobody. */
export async function mergedInto(
  db: Queryable,
  workspaceId: string,
  ids: readonly (string | null)[],
): Promise<ReadonlyMap<string, string>> {
  const wanted = ids.filter((id) => id !== null && isId(id));
  if (wanted.length === 0) return new Map();
  const rows = await db.query<{ id: string; now: string }>(sql`
    select k.id, a.contact_id as now from unnest(${wanted}::uuid[]) as k (id)
    cross join lateral (select contact_id from contact_alias
      where workspace_id = ${workspaceId} and id = k.id limit 1) a`);
  return new Map(rows.map(({ id, now }) => [id, now]));
}
