import type { Db, Queryable, Tx } from "../db/database.ts";
import { sql, type Sql } from "../db/sql.ts";

/** The sender of an Idempotency-Key. */
export interface CallerOfKey {
  readonly workspaceId: string;
  /** The id of an API key or of a member. (Its column is called `api_key_id`: members came later.) */
  readonly callerId: string;
}

export interface KeyOfCall extends CallerOfKey {
  readonly key: string;
}

export interface StoredCall {
  readonly fingerprint: Buffer;
  /** Null while the call to the provider is under way. */
  readonly status: number | null;
  /** The answer; the id of the record while `status` is null. */
  readonly body: string;
  readonly createdAt: Date;
}

/** What was stored under the key after `since`; null: nothing. */
export async function findCall(
  db: Pick<Db, "read">,
  call: KeyOfCall,
  since: Date,
): Promise<StoredCall | null> {
  const [row] = await db.read<{
    fingerprint: Buffer;
    status_code: number | null;
    body: string | null;
    created_at: Date;
  }>(sql`
    select fingerprint, status_code, body, created_at from idempotency_key
    where workspace_id = ${call.workspaceId} and api_key_id = ${call.callerId} and key = ${call.key}`);
  // Compared here: while the table is small, a plan with the time in it may read by age, and goes on to when it is large.
  if (!row || row.created_at <= since) return null;
  const { fingerprint, status_code: status, body, created_at: createdAt } = row;
  return { fingerprint, status, body: body ?? "", createdAt };
}

/** The end of an insert: a row from after `since` stays, and then the insert gives no row. */
const unlessTaken = (since: Date): Sql => sql`
  on conflict (workspace_id, api_key_id, key) do update
    set fingerprint = excluded.fingerprint, status_code = excluded.status_code, body = excluded.body,
      created_at = excluded.created_at
    where i.created_at <= ${since}
  returning key`;

/**
 * Locks the key until the transaction ends and stores a call under it. False: the key is taken, or another transaction
 * works under it at this moment. A row from before `since` counts as none. One statement, because the rows of the effect
 * are locked meanwhile.
 */
export async function insertLocked(
  tx: Tx,
  call: KeyOfCall,
  stored: StoredCall,
  since: Date,
): Promise<boolean> {
  const rows = await tx.query(sql`
    with turn as materialized (
      select pg_try_advisory_xact_lock(hashtextextended(${`${call.callerId}:${call.key}`}, 0)) as mine)
    insert into idempotency_key as i (workspace_id, api_key_id, key, fingerprint, status_code, body, created_at)
    select ${call.workspaceId}::uuid, ${call.callerId}::uuid, ${call.key}::text, ${stored.fingerprint}::bytea,
      ${stored.status}::int, ${stored.body}::text, ${stored.createdAt}::timestamptz
    from turn where mine
    ${unlessTaken(since)}`);
  return rows.length > 0;
}

/** Stores a call under its key. False: the key is taken. A row from before `since` counts as none. */
export async function insertCall(
  db: Queryable,
  call: KeyOfCall,
  stored: StoredCall,
  since: Date,
): Promise<boolean> {
  const rows = await db.query(sql`
    insert into idempotency_key as i (workspace_id, api_key_id, key, fingerprint, status_code, body, created_at)
    values (${call.workspaceId}, ${call.callerId}, ${call.key}, ${stored.fingerprint}, ${stored.status},
      ${stored.body}, ${stored.createdAt})
    ${unlessTaken(since)}`);
  return rows.length > 0;
}

/** Stores the answer of a call that was under way. */
export async function storeAnswer(
  db: Queryable,
  call: KeyOfCall,
  answer: { readonly status: number; readonly body: string },
): Promise<void> {
  await db.query(sql`
    update idempotency_key set status_code = ${answer.status}, body = ${answer.body}
    where workspace_id = ${call.workspaceId} and api_key_id = ${call.callerId} and key = ${call.key}
      and status_code is null`);
}

/** Stores how a call ended whose answer was kept when it began. */
export async function replaceAnswer(
  tx: Tx,
  call: KeyOfCall,
  answer: { readonly status: number; readonly body: string },
): Promise<void> {
  await tx.query(sql`
    update idempotency_key set status_code = ${answer.status}, body = ${answer.body}
    where workspace_id = ${call.workspaceId} and api_key_id = ${call.callerId} and key = ${call.key}`);
}

export interface KeptAnswer {
  readonly keyId: string;
  readonly key: string;
  readonly body: string;
}

/** Locks and gives the workspace's kept answers that name one of these ids. */
export function selectAnswers(
  tx: Tx,
  workspaceId: string,
  ids: readonly string[],
): Promise<KeptAnswer[]> {
  return tx.query<KeptAnswer>(sql`
    select api_key_id as "keyId", key, body from idempotency_key
    where workspace_id = ${workspaceId} and exists (
      select 1 from unnest(${ids}::text[]) as n (id) where position(n.id in body) > 0)
    order by api_key_id, key for update`);
}

/** Replaces the bodies of kept answers, for an erasure. Status and key stay. */
export async function rewriteAnswers(
  tx: Tx,
  workspaceId: string,
  rows: readonly KeptAnswer[],
): Promise<void> {
  if (rows.length === 0) return;
  await tx.query(sql`
    update idempotency_key i set body = n.body
    from unnest(${rows.map((row) => row.keyId)}::uuid[], ${rows.map((row) => row.key)}::text[],
      ${rows.map((row) => row.body)}::text[]) as n (key_id, key, body)
    where i.workspace_id = ${workspaceId} and i.api_key_id = n.key_id and i.key = n.key`);
}

/** Deletes up to a thousand answers from before a time. Gives how many. */
export async function deleteAnswersBefore(db: Queryable, before: Date): Promise<number> {
  // The deletion compares the time once more: it waits for a key that is being used again, and PostgreSQL before 15.15,
  // 16.11 and 17.7 does not compare the place of the row that it finds then.
  const rows = await db.query(sql`
    delete from idempotency_key where ctid = any(array(
      select ctid from idempotency_key where created_at <= ${before} limit 1000))
      and created_at <= ${before}
    returning key`);
  return rows.length;
}
