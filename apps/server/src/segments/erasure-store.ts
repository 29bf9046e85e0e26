import type { Tx } from "../db/database.ts";
import { sql } from "../db/sql.ts";

/** Gives the jobs of which nobody is left. */
export async function takeFromJobs(
  tx: Tx,
  workspaceId: string,
  contactIds: readonly string[],
): Promise<string[]> {
  const rows = await tx.query<{ id: string; alone: boolean }>(sql`
    with mine as (
      select id, array(select x from unnest(ids) as u (x) where x <> all (${contactIds}::uuid[])) as rest
      from contact_job where workspace_id = ${workspaceId} and ids && ${contactIds}::uuid[] for update
    )
    update contact_job j set ids = mine.rest,
      details = case when cardinality(mine.rest) = 0 then '{}' else j.details end
    from mine where j.workspace_id = ${workspaceId} and j.id = mine.id
    returning j.id, cardinality(mine.rest) = 0 as alone`);
  return rows.filter((row) => row.alone).map((row) => row.id);
}

export async function blankDefinitions(
  tx: Tx,
  workspaceId: string,
  addresses: readonly string[],
): Promise<void> {
  await tx.query(sql`
    update contact_job set definition = null
    where workspace_id = ${workspaceId} and state not in ('running', 'paused') and definition is not null
      and exists (select 1 from unnest(${addresses}::text[]) as a (address)
        where position(a.address in lower(definition::text)) > 0)`);
}
