import type { Queryable, Tx } from "../../db/database.ts";
import { sql } from "../../db/sql.ts";
import { absorbRefs } from "../refs/ref-store.ts";

/**
 * Makes every row among the contacts' tables that names the merged contact name the kept one. The merged row goes;
 * its id stays known.
 */
export async function absorbContact(
  tx: Tx,
  merge: {
    readonly workspaceId: string;
    readonly keepId: string;
    readonly mergedId: string;
    readonly at: Date;
  },
): Promise<void> {
  const { workspaceId, keepId, mergedId, at } = merge;
  await tx.query(sql`
    update contact_identity set contact_id = ${keepId}
    where workspace_id = ${workspaceId} and contact_id = ${mergedId}`);
  await absorbRefs(tx, workspaceId, keepId, mergedId, at);
  await tx.query(sql`
    update contact k set last_seen_at = greatest(k.last_seen_at, m.last_seen_at)
    from contact m where k.workspace_id = ${workspaceId} and k.id = ${keepId}
      and m.workspace_id = ${workspaceId} and m.id = ${mergedId}`);
  await tx.query(sql`
    update contact_change set contact_id = ${keepId}
    where workspace_id = ${workspaceId} and contact_id = ${mergedId}`);
  await tx.query(sql`
    update contact_alias set contact_id = ${keepId}
    where workspace_id = ${workspaceId} and contact_id = ${mergedId}`);
  await tx.query(sql`
    insert into contact_alias (workspace_id, id, contact_id, document, merged_at)
    select workspace_id, id, ${keepId}, document, ${at}::timestamptz from contact
    where workspace_id = ${workspaceId} and id = ${mergedId}`);
  await tx.query(sql`delete from contact where workspace_id = ${workspaceId} and id = ${mergedId}`);
}

export interface DueMerge {
  readonly workspaceId: string;
  readonly keepId: string;
  readonly mergedId: string;
}

/** Merges that the other tables have yet to follow, oldest first, of all workspaces. */
export function selectDueMerges(db: Queryable, limit: number): Promise<DueMerge[]> {
  return db.query<DueMerge>(sql`
    select workspace_id as "workspaceId", keep_id as "keepId", merged_id as "mergedId"
    from contact_merge_due order by created_at limit ${limit}`);
}

/** Marks a merge as done in every table. */
export async function dropDueMerge(db: Queryable, due: DueMerge): Promise<void> {
  await db.query(sql`
    delete from contact_merge_due
    where workspace_id = ${due.workspaceId} and keep_id = ${due.keepId} and merged_id = ${due.mergedId}`);
}

/** Whether a platform knows both contacts by ids of its own on one channel. Then they are two people. */
export async function areTwoPeople(db: Queryable, due: DueMerge): Promise<boolean> {
  const rows = await db.query(sql`
    select 1 from contact_identity a join contact_identity b on b.workspace_id = a.workspace_id
      and b.channel_id = a.channel_id and b.contact_id = ${due.mergedId} and not b.is_number and b.retired_at is null
    where a.workspace_id = ${due.workspaceId} and a.contact_id = ${due.keepId} and not a.is_number
      and a.retired_at is null limit 1`);
  return rows.length > 0;
}

/** Those of these contacts that were merged (`id`), each with the contact that it is now. */
export function selectMerged(
  db: Queryable,
  workspaceId: string,
  ids: readonly string[],
): Promise<{ id: string; now: string }[]> {
  return db.query(sql`
    select k.id, a.contact_id as now from unnest(${ids}::uuid[]) as k (id)
    cross join lateral (select contact_id from contact_alias
      where workspace_id = ${workspaceId} and id = k.id limit 1) a`);
}
