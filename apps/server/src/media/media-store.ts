import type { Queryable, Tx } from "../db/database.ts";
import { sql, type Sql } from "../db/sql.ts";
import type { MediaKind } from "../channels/adapter.ts";
import type { BytesKey, Media, MediaKey } from "./media.ts";

const COLUMNS: Sql = sql`
  m.workspace_id as "workspaceId", m.id, m.kind, m.state, m.reason, m.mime_type as "mimeType",
  m.file_name as "fileName", m.size, encode(m.sha256, 'hex') as sha256, m.message_id as "messageId",
  coalesce(m.bytes_id, m.id) as "bytesId", m.message_id is null and m.delete_at is null as kept,
  m.created_at as "createdAt"`;

const keyed = (keys: readonly MediaKey[]): Sql => sql`unnest(
  ${keys.map((key) => key.workspaceId)}::uuid[], ${keys.map((key) => key.id)}::uuid[]) as k (workspace_id, id)`;

/** A file whose bytes are in the store. */
export interface StoredFile extends MediaKey {
  readonly bytesId: string;
  readonly size: number;
  readonly sha256: string;
}

/** One file of the workspace, or null. */
export async function selectMedia(db: Queryable, key: MediaKey): Promise<Media | null> {
  const [row] = await db.query<Media>(sql`
    select ${COLUMNS} from media m where m.workspace_id = ${key.workspaceId} and m.id = ${key.id}`);
  return row ?? null;
}

export interface NewInboundMedia extends MediaKey {
  readonly messageId: string;
  readonly channelId: string;
  readonly kind: MediaKind;
  readonly mimeType: string | null;
  readonly fileName: string | null;
  readonly size: number | null;
  readonly sourceSealed: Buffer;
}

/** Stores files to be fetched. Their messages are stored in the same transaction. */
export async function insertInboundMedia(
  tx: Tx,
  rows: readonly NewInboundMedia[],
  now: Date,
): Promise<void> {
  await tx.query(sql`
    insert into media (workspace_id, id, direction, message_id, channel_id, kind, mime_type, file_name, size,
      source_sealed, available_at, created_at)
    select n.workspace_id, n.id, 'inbound', n.message_id, n.channel_id, n.kind, n.mime_type, n.file_name, n.size,
      n.source, ${now}::timestamptz, ${now}::timestamptz
    from unnest(${rows.map((row) => row.workspaceId)}::uuid[], ${rows.map((row) => row.id)}::uuid[],
      ${rows.map((row) => row.messageId)}::uuid[], ${rows.map((row) => row.channelId)}::uuid[],
      ${rows.map((row) => row.kind)}::text[], ${rows.map((row) => row.mimeType)}::text[],
      ${rows.map((row) => row.fileName)}::text[], ${rows.map((row) => row.size)}::bigint[],
      ${rows.map((row) => row.sourceSealed)}::bytea[])
      as n (workspace_id, id, message_id, channel_id, kind, mime_type, file_name, size, source)`);
}

/** Stores an upload before its bytes. The sweep removes it at `deleteAt` unless a message takes it. */
export async function insertUpload(
  db: Queryable,
  row: MediaKey & {
    readonly fileName: string;
    readonly author: string | null;
    readonly size: number;
    readonly deleteAt: Date;
    readonly now: Date;
  },
): Promise<void> {
  await db.query(sql`
    insert into media (workspace_id, id, direction, kind, file_name, author, size, delete_at, created_at)
    values (${row.workspaceId}, ${row.id}, 'outbound', 'document', ${row.fileName}, ${row.author}, ${row.size},
      ${row.deleteAt}, ${row.now})`);
}

/**
 * Stores copies of our stored files. A copy shares the bytes of its source. Gives the ids of the copies that were made.
 */
export async function insertCopies(
  db: Queryable,
  workspaceId: string,
  copies: readonly { readonly of: string; readonly id: string }[],
  facts: { readonly author: string; readonly deleteAt: Date; readonly now: Date },
): Promise<ReadonlySet<string>> {
  // Locks the source, so that its bytes are not removed before the copy is visible.
  const rows = await db.query<{ id: string }>(sql`
    with source as (
      select m.* from media m where m.workspace_id = ${workspaceId} and m.id = any(${copies.map(({ of }) => of)}::uuid[])
        and m.direction = 'outbound' and m.state = 'stored' for share
    )
    insert into media (workspace_id, id, direction, kind, state, mime_type, file_name, size, sha256, bytes_id, author,
      delete_at, created_at)
    select s.workspace_id, n.id, s.direction, s.kind, s.state, s.mime_type, s.file_name, s.size, s.sha256,
      coalesce(s.bytes_id, s.id), ${facts.author}, ${facts.deleteAt}::timestamptz, ${facts.now}::timestamptz
    from source s join unnest(${copies.map(({ of }) => of)}::uuid[], ${copies.map(({ id }) => id)}::uuid[]) as n (of, id)
      on n.of = s.id
    returning id`);
  return new Set(rows.map(({ id }) => id));
}

/** The facts of a file once its bytes are in the store. */
export interface StoredFacts {
  readonly mimeType: string;
  readonly fileName: string | null;
  readonly size: number;
  /** In hex. */
  readonly sha256: string;
}

/** Notes that the bytes of an upload are stored. Null when the upload was not waiting for them any more. */
export async function finishUpload(
  db: Queryable,
  key: MediaKey,
  facts: StoredFacts & { readonly kind: MediaKind },
): Promise<Media | null> {
  const [row] = await db.query<Media>(sql`
    update media m set state = 'stored', kind = ${facts.kind}, mime_type = ${facts.mimeType}, size = ${facts.size},
      sha256 = decode(${facts.sha256}, 'hex')
    where m.workspace_id = ${key.workspaceId} and m.id = ${key.id} and m.state = 'pending'
    returning ${COLUMNS}`);
  return row ?? null;
}

/** Locks the uploads that exist among these, in the order of their keys. */
export function lockUploads(tx: Tx, keys: readonly MediaKey[]): Promise<Media[]> {
  return tx.query<Media>(sql`
    select ${COLUMNS} from media m join (select distinct * from ${keyed(keys)}) k
      on m.workspace_id = k.workspace_id and m.id = k.id
    where m.direction = 'outbound'
    order by m.workspace_id, m.id for update of m`);
}

/** Ties uploads to their messages, each as this kind, and keeps them. The rows must be locked. */
export async function attachUploads(
  tx: Tx,
  rows: readonly (MediaKey & { readonly messageId: string; readonly kind: string })[],
): Promise<void> {
  await tx.query(sql`
    update media m set message_id = k.message_id, kind = k.kind, delete_at = null
    from unnest(${rows.map((row) => row.workspaceId)}::uuid[], ${rows.map((row) => row.id)}::uuid[],
      ${rows.map((row) => row.messageId)}::uuid[], ${rows.map((row) => row.kind)}::text[])
      as k (workspace_id, id, message_id, kind)
    where m.workspace_id = k.workspace_id and m.id = k.id`);
}

/** Keeps an upload whether or not a message carries it. Gives it, or null when there is no such stored upload. */
export async function clearUploadDeadline(tx: Tx, key: MediaKey): Promise<Media | null> {
  const [row] = await tx.query<Media>(sql`
    update media m set delete_at = null
    where m.workspace_id = ${key.workspaceId} and m.id = ${key.id} and m.direction = 'outbound' and m.state = 'stored'
    returning ${COLUMNS}`);
  return row ?? null;
}

/** Keeps an upload that nothing has taken yet. Gives it, or null. */
export async function clearFreshDeadline(tx: Tx, key: MediaKey): Promise<Media | null> {
  const [row] = await tx.query<Media>(sql`
    update media m set delete_at = null
    where m.workspace_id = ${key.workspaceId} and m.id = ${key.id} and m.direction = 'outbound' and m.state = 'stored'
      and m.message_id is null and m.delete_at is not null
    returning ${COLUMNS}`);
  return row ?? null;
}

/** Has an upload that no message carries removed at `deleteAt`. */
export async function setUploadDeadline(tx: Tx, key: MediaKey, deleteAt: Date): Promise<void> {
  await tx.query(sql`
    update media set delete_at = ${deleteAt}::timestamptz
    where workspace_id = ${key.workspaceId} and id = ${key.id} and direction = 'outbound' and message_id is null`);
}

/** Drops the files of a withdrawn message: for readers at once, their bytes at `deleteAt`. */
export async function dropOfMessage(
  tx: Tx,
  message: { readonly workspaceId: string; readonly messageId: string },
  deleteAt: Date,
): Promise<void> {
  await tx.query(sql`
    update media set state = 'failed', reason = 'gone', available_at = null, source_sealed = null,
      delete_at = ${deleteAt}::timestamptz
    where workspace_id = ${message.workspaceId} and message_id = ${message.messageId}`);
}

/**
 * Claims files that are past their time. From now on nobody can read or send them. Their rows stay until the bytes are
 * gone.
 */
export function claimExpired(db: Queryable, now: Date, limit: number): Promise<BytesKey[]> {
  return db.query<BytesKey>(sql`
    with expired as (
      select workspace_id, id from media where delete_at <= ${now}::timestamptz
      order by delete_at limit ${limit} for update skip locked
    )
    update media m set state = 'failed', reason = coalesce(m.reason, 'gone'), available_at = null
    from expired e where m.workspace_id = e.workspace_id and m.id = e.id
    returning m.workspace_id as "workspaceId", m.id, coalesce(m.bytes_id, m.id) as "bytesId"`);
}

/**
 * Of files that nobody can read any more, the ids of bytes that another file still uses. Ask after the commit that
 * closed the files: when two files go at once, at least one of them then sees that no other is left.
 */
export async function selectSharedBytes(
  db: Queryable,
  keys: readonly BytesKey[],
): Promise<ReadonlySet<string>> {
  const bytes = keys.map(({ workspaceId, bytesId }) => ({ workspaceId, id: bytesId }));
  const rows = await db.query<{ id: string }>(sql`
    select k.id from (select distinct * from ${keyed(bytes)}) k
    where exists (select 1 from media m where m.workspace_id = k.workspace_id and m.id = k.id and m.state = 'stored')
      or exists (select 1 from media m where m.workspace_id = k.workspace_id and m.bytes_id = k.id and m.state = 'stored')`);
  return new Set(rows.map(({ id }) => id));
}

/** Some files of the workspace, in the order of ids. */
export function selectSomeMedia(
  db: Queryable,
  workspaceId: string,
  limit: number,
): Promise<BytesKey[]> {
  return db.query<BytesKey>(sql`
    select workspace_id as "workspaceId", id, coalesce(bytes_id, id) as "bytesId" from media
    where workspace_id = ${workspaceId} order by id limit ${limit}`);
}

/** Deletes the rows of files whose bytes are gone. */
export async function deleteRows(db: Queryable, keys: readonly MediaKey[]): Promise<void> {
  await db.query(sql`
    delete from media m using ${keyed(keys)} where m.workspace_id = k.workspace_id and m.id = k.id`);
}

/**
 * The next stored files of all workspaces, in the order of workspace and id. Of files that share their bytes it gives
 * one.
 */
export function selectStored(db: Queryable, after: MediaKey, limit: number): Promise<StoredFile[]> {
  return db.query<StoredFile>(sql`
    select m.workspace_id as "workspaceId", m.id, coalesce(m.bytes_id, m.id) as "bytesId", m.size,
      encode(m.sha256, 'hex') as sha256
    from media m
    where (m.workspace_id, m.id) > (${after.workspaceId}::uuid, ${after.id}::uuid) and m.state = 'stored'
      and (m.bytes_id is null or not exists (
        select 1 from media o where o.workspace_id = m.workspace_id and o.id = m.bytes_id and o.state = 'stored'
        union all
        select 1 from media o where o.workspace_id = m.workspace_id and o.bytes_id = m.bytes_id and o.state = 'stored'
          and o.id < m.id))
    order by m.workspace_id, m.id limit ${limit}`);
}
