import type { Queryable, Tx } from "../db/database.ts";
import { sql } from "../db/sql.ts";
import type { Definition } from "./segment.ts";

/** Gives the jobs without any contact left. */
export async function removeFromJobs(
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

export interface Defined {
  readonly id: string;
  readonly definition: Definition;
}

/** Jobs with rules: running and paused ones (ended ones keep none). A running batch is awaited. */
export function lockDefinitions(tx: Tx, workspaceId: string): Promise<Defined[]> {
  return tx.query<Defined>(sql`
    select id, definition from contact_job
    where workspace_id = ${workspaceId} and definition is not null order by id for update`);
}

/** Replaces the rules of jobs, for an erasure. */
export async function writeDefinitions(
  tx: Tx,
  workspaceId: string,
  jobs: readonly Defined[],
): Promise<void> {
  await tx.query(sql`
    update contact_job j set definition = n.definition::json
    from unnest(${jobs.map((job) => job.id)}::uuid[],
      ${jobs.map((job) => JSON.stringify(job.definition))}::text[]) as n (id, definition)
    where j.workspace_id = ${workspaceId} and j.id = n.id`);
}

/** The newest segments. */
export function selectSegmentDefinitions(
  db: Queryable,
  workspaceId: string,
  limit: number,
): Promise<Defined[]> {
  return db.query<Defined>(sql`
    select id, definition from segment where workspace_id = ${workspaceId} order by id desc limit ${limit}`);
}
