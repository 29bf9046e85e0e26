import type { Queryable } from "../db/database.ts";
import { sql } from "../db/sql.ts";

/** Who those of these contacts that were merged are now. */
export async function mergedInto(
  db: Queryable,
  workspaceId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await db.query<{ id: string; now: string }>(sql`
    select k.id, a.contact_id as now from unnest(${ids}::uuid[]) as k (id)
    cross join lateral (select contact_id from contact_alias
      where workspace_id = ${workspaceId} and id = k.id limit 1) a`);
  return new Map(rows.map(({ id, now }) => [id, now]));
}
