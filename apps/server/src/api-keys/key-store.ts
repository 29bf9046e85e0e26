import type { Db, Queryable } from "../db/database.ts";
import { ifGiven, sql } from "../db/sql.ts";
import type { KeySends } from "../wire/words.ts";
import { isTestWorkspace } from "../workspaces/workspace-sql.ts";
import { isScope, type ApiKey } from "./api-key.ts";

interface Row {
  id: string;
  workspace_id: string;
  name: string;
  public_key: string;
  scopes: string[];
  sends: KeySends;
  expires_at: Date | null;
  revoked_at: Date | null;
  last_used_at: Date | null;
  created_at: Date;
}

const COLUMNS = sql`id, workspace_id, name, public_key, scopes, sends, expires_at, revoked_at, last_used_at, created_at`;

function toKey(row: Row): ApiKey {
  return {
    id: row.id,
    workspaceId: row.workspace_id,
    name: row.name,
    publicKey: row.public_key,
    scopes: row.scopes.filter(isScope),
    sends: row.sends,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    lastUsedAt: row.last_used_at,
    createdAt: row.created_at,
  };
}

/** Stores a key with the hash of its secret. */
export async function insertKey(db: Queryable, key: ApiKey, secretHash: Buffer): Promise<void> {
  await db.query(sql`
    insert into api_key (workspace_id, id, name, public_key, secret_hash, scopes, sends, expires_at, created_at)
    values (${key.workspaceId}, ${key.id}, ${key.name}, ${key.publicKey}, ${secretHash},
      ${key.scopes}::text[], ${key.sends}, ${key.expiresAt}, ${key.createdAt})`);
}

/**
 * Keys with the hashes of their secrets, by public half. The one read that is not by workspace: the credential itself
 * names the workspace. A key whose half says another kind of workspace than its own is no key.
 */
export async function findByPublicKeys(
  db: Pick<Db, "read">,
  publicKeys: readonly string[],
): Promise<Map<string, { key: ApiKey; secretHash: Buffer }>> {
  const rows = await db.read<Row & { secret_hash: Buffer }>(
    sql`select ${COLUMNS}, secret_hash from api_key
      where public_key = any(${publicKeys}::text[])
        and starts_with(public_key, 'pk_test_') = ${isTestWorkspace(sql`api_key.workspace_id`)}`,
  );
  return new Map(
    rows.map((row) => [row.public_key, { key: toKey(row), secretHash: row.secret_hash }]),
  );
}

/** All keys of the workspace, newest first, with revoked and expired ones. */
export async function selectKeys(db: Queryable, workspaceId: string): Promise<ApiKey[]> {
  const rows = await db.query<Row>(
    sql`select ${COLUMNS} from api_key where workspace_id = ${workspaceId} order by id desc`,
  );
  return rows.map(toKey);
}

/** One key of the workspace, also a revoked or expired one; null: there is none. */
export async function selectKey(
  db: Queryable,
  workspaceId: string,
  id: string,
): Promise<ApiKey | null> {
  const [row] = await db.query<Row>(
    sql`select ${COLUMNS} from api_key where workspace_id = ${workspaceId} and id = ${id}`,
  );
  return row ? toKey(row) : null;
}

/**
 * Revokes a key and gives it; null: there is none. A key that was revoked before keeps its time. `workspaceId` is null
 * for the operator at the command line, who names the key alone.
 */
export async function markRevoked(
  db: Queryable,
  workspaceId: string | null,
  id: string,
  at: Date,
): Promise<ApiKey | null> {
  const [row] = await db.query<Row>(sql`
    update api_key set revoked_at = coalesce(revoked_at, ${at})
    where ${ifGiven(workspaceId, (given) => sql`workspace_id = ${given} and`)} id = ${id}
    returning ${COLUMNS}`);
  return row ? toKey(row) : null;
}

/** Sets who decides on what an assistant sends with a key, and gives it with the former word; null: there is none. */
export async function writeSends(
  db: Queryable,
  workspaceId: string | null,
  id: string,
  sends: KeySends,
): Promise<{ readonly key: ApiKey; readonly before: KeySends } | null> {
  const [row] = await db.query<Row & { before: KeySends }>(sql`
    with old as (
      select workspace_id, id, sends as before from api_key
      where ${ifGiven(workspaceId, (given) => sql`workspace_id = ${given} and`)} id = ${id} for update
    ), changed as (
      update api_key k set sends = ${sends} from old where k.workspace_id = old.workspace_id and k.id = old.id
      returning k.*
    )
    select ${COLUMNS}, (select before from old) as before from changed`);
  return row ? { key: toKey(row), before: row.before } : null;
}

/** Moves `last_used_at` of the keys forward, never back. */
export async function markUsed(
  db: Queryable,
  uses: readonly { workspaceId: string; keyId: string; at: Date }[],
): Promise<void> {
  await db.query(sql`
    update api_key k set last_used_at = greatest(k.last_used_at, u.at)
    from unnest(${uses.map((u) => u.workspaceId)}::uuid[], ${uses.map((u) => u.keyId)}::uuid[],
      ${uses.map((u) => u.at)}::timestamptz[]) as u (workspace_id, id, at)
    where k.workspace_id = u.workspace_id and k.id = u.id`);
}

/** Those of these keys that are neither revoked nor expired at that time. */
export async function selectLive(
  db: Queryable,
  keys: readonly { readonly workspaceId: string; readonly keyId: string }[],
  now: Date,
): Promise<string[]> {
  const rows = await db.query<{ id: string }>(sql`
    select k.id from unnest(${keys.map((key) => key.workspaceId)}::uuid[],
      ${keys.map((key) => key.keyId)}::uuid[]) as u (workspace_id, id)
    join api_key k on k.workspace_id = u.workspace_id and k.id = u.id
    where k.revoked_at is null and (k.expires_at is null or k.expires_at > ${now})`);
  return rows.map((row) => row.id);
}
