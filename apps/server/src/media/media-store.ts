import type { Queryable, Tx } from "../db/database.ts";
import { sql, type Sql } from "../db/sql.ts";
import type { MediaKind } from "../channels/adapter.ts";
import type { Media, MediaKey } from "./media.ts";

const COLUMNS: Sql = sql`
  m.workspace_id as "workspaceId", m.id, m.kind, m.state, m.reason, m.mime_type as "mimeType",
  m.file_name as "fileName", m.size, encode(m.sha256, 'hex') as sha256, m.message_id as "messageId",
  m.created_at as "createdAt"`;

const keyed = (keys: readonly MediaKey[]): Sql => sql`unnest(
  ${keys.map((key) => key.workspaceId)}::uuid[], ${keys.map((key) => key.id)}::uuid[]) as k (workspace_id, id)`;

/** A file in the store. */
export interface StoredFile extends MediaKey {
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

/** Files to be fetched, of messages that are stored in the same transaction. */
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

/** An upload while its bytes are on their way. It is swept at `deleteAt` unless a message takes it. */
export async function insertUpload(
  db: Queryable,
  row: MediaKey & {
    readonly fileName: string;
    readonly author: string | null;
    readonly deleteAt: Date;
    readonly now: Date;
  },
): Promise<void> {
  await db.query(sql`
    insert into media (workspace_id, id, direction, kind, file_name, author, delete_at, created_at)
    values (${row.workspaceId}, ${row.id}, 'outbound', 'document', ${row.fileName}, ${row.author}, ${row.deleteAt}, ${row.now})`);
}

/** What is known of a file once its bytes are in the store. */
export interface StoredFacts {
  readonly mimeType: string;
  readonly fileName: string | null;
  readonly size: number;
  /** Hex. */
  readonly sha256: string;
}

/** The bytes of an upload are stored. Null when it was not waiting for them any more. */
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

/** Locks these uploads in key order; those that exist. */
export function lockUploads(tx: Tx, keys: readonly MediaKey[]): Promise<Media[]> {
  return tx.query<Media>(sql`
    select ${COLUMNS} from media m join (select distinct * from ${keyed(keys)}) k
      on m.workspace_id = k.workspace_id and m.id = k.id
    where m.direction = 'outbound'
    order by m.workspace_id, m.id for update of m`);
}

/** A message carries them now, as this kind: they stay. The rows must be locked. */
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

/** The upload stays whether or not a message carries it. */
export async function clearUploadDeadline(tx: Tx, key: MediaKey): Promise<Media | null> {
  const [row] = await tx.query<Media>(sql`
    update media m set delete_at = null
    where m.workspace_id = ${key.workspaceId} and m.id = ${key.id} and m.direction = 'outbound' and m.state = 'stored'
    returning ${COLUMNS}`);
  return row ?? null;
}

/** The upload, which no message carries, goes at `deleteAt`. */
export async function setUploadDeadline(tx: Tx, key: MediaKey, deleteAt: Date): Promise<void> {
  await tx.query(sql`
    update media set delete_at = ${deleteAt}::timestamptz
    where workspace_id = ${key.workspaceId} and id = ${key.id} and direction = 'outbound' and message_id is null`);
}

/** The customer withdrew the message: its files are gone for readers at once, their bytes at `deleteAt`. */
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

/** Files that are past their time. From now on nobody can read or send them; the rows stay until the bytes are gone. */
export function claimExpired(db: Queryable, now: Date, limit: number): Promise<MediaKey[]> {
  return db.query<MediaKey>(sql`
    with expired as (
      select workspace_id, id from media where delete_at <= ${now}::timestamptz
      order by delete_at limit ${limit} for update skip locked
    )
    update media m set state = 'failed', reason = coalesce(m.reason, 'gone'), available_at = null
    from expired e where m.workspace_id = e.workspace_id and m.id = e.id
    returning m.workspace_id as "workspaceId", m.id`);
}

/** Some of the workspace's files, in order of their ids. */
export function selectSomeMedia(
  db: Queryable,
  workspaceId: string,
  limit: number,
): Promise<MediaKey[]> {
  return db.query<MediaKey>(sql`
    select workspace_id as "workspaceId", id from media where workspace_id = ${workspaceId}
    order by id limit ${limit}`);
}

/** Deletes the rows of files after their bytes are gone. */
export async function deleteRows(db: Queryable, keys: readonly MediaKey[]): Promise<void> {
  await db.query(sql`
    delete from media m using ${keyed(keys)} where m.workspace_id = k.workspace_id and m.id = k.id`);
}

/** The next files in the store, of all workspaces, in the order of workspace and id. */
export function selectStored(db: Queryable, after: MediaKey, limit: number): Promise<StoredFile[]> {
  return db.query<StoredFile>(sql`
    select workspace_id as "workspaceId", id, size, encode(sha256, 'hex') as sha256 from media
    where (workspace_id, id) > (${after.workspaceId}::uuid, ${after.id}::uuid) and state = 'stored'
    order by workspace_id, id limit ${limit}`);
}
