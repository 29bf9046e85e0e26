import type { Queryable, Tx } from "../../db/database.ts";
import { sql } from "../../db/sql.ts";

/** What one system calls a contact. */
export interface Ref {
  readonly system: string;
  readonly value: string;
}
export interface ContactRef extends Ref {
  readonly contactId: string;
  /** It was of a contact that was merged into this one, which has a value of its own: it leads here and is not shown. */
  readonly merged: boolean;
}

/** The contacts to which these refs lead. */
export async function findByRefs(
  db: Queryable,
  workspaceId: string,
  refs: readonly Ref[],
): Promise<string[]> {
  if (refs.length === 0) return [];
  const rows = await db.query<{ id: string }>(sql`
    select distinct r.contact_id as id
    from unnest(${refs.map(({ system }) => system)}::text[], ${refs.map(({ value }) => value)}::text[]) as k (system, value)
    cross join lateral (select contact_id from contact_ref
      where workspace_id = ${workspaceId} and system = k.system and value = k.value limit 1) r`);
  return rows.map(({ id }) => id);
}

/** The contacts to which these refs lead, one for each ref, in their order; null where there is none. */
export async function contactOfEachRef(
  db: Queryable,
  workspaceId: string,
  refs: readonly Ref[],
): Promise<(string | null)[]> {
  if (refs.length === 0) return [];
  const rows = await db.query<{ place: number; id: string }>(sql`
    select k.place::int as place, r.contact_id as id
    from unnest(${refs.map(({ system }) => system)}::text[], ${refs.map(({ value }) => value)}::text[])
      with ordinality as k (system, value, place)
    cross join lateral (select contact_id from contact_ref
      where workspace_id = ${workspaceId} and system = k.system and value = k.value limit 1) r`);
  const found = new Map(rows.map(({ place, id }) => [place, id]));
  return refs.map((_, index) => found.get(index + 1) ?? null);
}

/** Every ref that leads to one of these contacts. */
export function selectRefs(
  db: Queryable,
  workspaceId: string,
  contactIds: readonly string[],
): Promise<ContactRef[]> {
  return db.query<ContactRef>(sql`
    select r.contact_id as "contactId", r.system, r.value, r.merged
    from unnest(${contactIds}::uuid[]) as k (id)
    cross join lateral (
      select contact_id, system, value, false as merged from contact_ref
      where workspace_id = ${workspaceId} and contact_id = k.id and merged_at is null
      union all
      select contact_id, system, value, true from contact_ref
      where workspace_id = ${workspaceId} and contact_id = k.id and merged_at is not null) r`);
}

/** A ref that a contact gets (`value`) in place of the one it had (`before`); null is none. */
export interface RefMove {
  readonly contactId: string;
  readonly system: string;
  readonly before: string | null;
  readonly value: string | null;
}

/** Writes changed refs of contacts that the caller has locked, under the locks of the refs (`lockAddresses`). */
export async function moveRefs(
  tx: Tx,
  workspaceId: string,
  moves: readonly RefMove[],
  at: Date,
): Promise<void> {
  const old = moves.flatMap(({ system, before }) => (before === null ? [] : [{ system, before }]));
  const added = moves.flatMap(({ contactId, system, value }) =>
    value === null ? [] : [{ contactId, system, value }],
  );
  if (old.length > 0)
    await tx.query(sql`
      delete from contact_ref r
      using unnest(${old.map(({ system }) => system)}::text[], ${old.map(({ before }) => before)}::text[]) as k (system, value)
      where r.workspace_id = ${workspaceId} and r.system = k.system and r.value = k.value`);
  if (added.length > 0)
    await tx.query(sql`
      insert into contact_ref (workspace_id, system, value, contact_id, created_at)
      select ${workspaceId}, s, v, c, ${at}::timestamptz
      from unnest(${added.map(({ system }) => system)}::text[], ${added.map(({ value }) => value)}::text[],
        ${added.map(({ contactId }) => contactId)}::uuid[]) as k (s, v, c)`);
}

/**
 * Makes the refs of a merged contact lead to the kept one. Where the kept one has a value of its own for the system, the
 * other's stays beside it, so that a program that knows the merged record goes on finding the person.
 */
export async function absorbRefs(
  tx: Tx,
  workspaceId: string,
  keepId: string,
  mergedId: string,
  at: Date,
): Promise<void> {
  await tx.query(sql`
    update contact_ref r set contact_id = ${keepId}, merged_at = coalesce(r.merged_at, (
      select ${at}::timestamptz from contact_ref k where k.workspace_id = ${workspaceId}
        and k.contact_id = ${keepId} and k.system = r.system and k.merged_at is null))
    where r.workspace_id = ${workspaceId} and r.contact_id = ${mergedId}`);
}

/** Forgets what other systems call these contacts. */
export async function removeRefs(
  tx: Tx,
  workspaceId: string,
  contactIds: readonly string[],
): Promise<void> {
  await tx.query(sql`
    delete from contact_ref where workspace_id = ${workspaceId} and contact_id = any(${contactIds}::uuid[])`);
}
