import type { Queryable, Tx } from "../db/database.ts";
import { sql } from "../db/sql.ts";

/** A key of a workspace. */
export interface MarkedKey {
  readonly workspaceId: string;
  readonly keyId: string;
}

/** What is remembered of a key: a record that it read, a message that it sent, a campaign that it started. */
export type MarkKind = "read" | "send" | "start";

/** Remembers records that a key has read, and forgets those from before `since`. */
export async function putReads(
  db: Queryable,
  key: MarkedKey,
  refs: readonly string[],
  at: Date,
  since: Date,
): Promise<void> {
  await db.query(sql`
    with old as (
      delete from assistant_mark where workspace_id = ${key.workspaceId} and api_key_id = ${key.keyId} and kind = 'read'
        and at <= ${since} and not ref = any(${refs}::uuid[]))
    insert into assistant_mark (workspace_id, api_key_id, kind, ref, at)
    select ${key.workspaceId}, ${key.keyId}, 'read', r, ${at} from unnest(${refs}::uuid[]) r
    on conflict (workspace_id, api_key_id, kind, ref) do update set at = excluded.at`);
}

/** Those of these records that the key has read after `since`. */
export async function selectReads(
  db: Queryable,
  key: MarkedKey,
  refs: readonly string[],
  since: Date,
): Promise<string[]> {
  const rows = await db.query<{ ref: string }>(sql`
    select ref from assistant_mark where workspace_id = ${key.workspaceId} and api_key_id = ${key.keyId} and kind = 'read'
      and ref = any(${refs}::uuid[]) and at > ${since}`);
  return rows.map(({ ref }) => ref);
}

/** Locks a key's marks of a kind until the transaction ends, and counts those after `since`. */
export async function countMarks(
  tx: Tx,
  key: MarkedKey,
  kind: MarkKind,
  since: Date,
): Promise<number> {
  await tx.query(
    sql`select pg_advisory_xact_lock(hashtextextended(${`assistant ${key.keyId} ${kind}`}, 0))`,
  );
  const [row] = await tx.query<{ n: number }>(sql`
    select count(*)::int as n from assistant_mark where workspace_id = ${key.workspaceId} and api_key_id = ${key.keyId}
      and kind = ${kind} and at > ${since}`);
  return row?.n ?? 0;
}

/** Stores a mark. False: the key has this mark. */
export async function insertMark(
  tx: Tx,
  key: MarkedKey,
  kind: MarkKind,
  ref: string,
  at: Date,
): Promise<boolean> {
  const rows = await tx.query(sql`
    insert into assistant_mark (workspace_id, api_key_id, kind, ref, at)
    values (${key.workspaceId}, ${key.keyId}, ${kind}, ${ref}, ${at}) on conflict do nothing returning ref`);
  return rows.length > 0;
}

/** Removes a mark: what it counted was not done. */
export async function deleteMark(
  db: Queryable,
  key: MarkedKey,
  kind: MarkKind,
  ref: string,
): Promise<void> {
  await db.query(sql`
    delete from assistant_mark where workspace_id = ${key.workspaceId} and api_key_id = ${key.keyId} and kind = ${kind}
      and ref = ${ref}`);
}

/** Deletes up to a thousand marks from before a time. Gives how many. */
export async function deleteMarksBefore(db: Queryable, before: Date): Promise<number> {
  const rows = await db.query(sql`
    delete from assistant_mark where ctid = any(array(
      select ctid from assistant_mark where at <= ${before} limit 1000)) and at <= ${before}
    returning ref`);
  return rows.length;
}
