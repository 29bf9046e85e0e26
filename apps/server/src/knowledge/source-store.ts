import type { Queryable, Tx } from "../db/database.ts";
import { sql, type Sql } from "../db/sql.ts";
import { isId } from "../lib/ids.ts";
import { chunkPrint } from "./knowledge-sql.ts";
import type { KnowledgeLang } from "./source.ts";

export interface SourceRow {
  readonly id: string;
  readonly kind: "snippet" | "file" | "page" | "saved_reply";
  readonly title: string;
  readonly externalId: string | null;
  readonly texts: Partial<Record<KnowledgeLang, string>>;
  readonly askedAs: readonly string[];
  readonly address: string | null;
  readonly savedReplyId: string | null;
  readonly etag: string | null;
  readonly status: "ready" | "reading" | "failed";
  readonly reason: string | null;
  readonly validUntil: Date | null;
  readonly chunks: number;
  readonly used: Readonly<Record<string, number>>;
  readonly readAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

const COLUMNS: Sql = sql`id, kind, title, external_id as "externalId", texts, asked_as as "askedAs", address,
  saved_reply_id as "savedReplyId", etag, status, reason, valid_until as "validUntil", chunks, used, read_at as "readAt",
  created_at as "createdAt", updated_at as "updatedAt"`;

/** What a caller writes of a source. */
export type SourceDraft = Omit<SourceRow, "used" | "chunks" | "readAt" | "createdAt" | "updatedAt">;

/** Stores a source. False: another one has its external id or is of the same saved reply. */
export async function insertSource(
  tx: Tx,
  workspaceId: string,
  one: SourceDraft,
  more: { readonly at: Date; readonly dueAt: Date | null; readonly content?: Buffer },
): Promise<boolean> {
  const rows = await tx.query(sql`
    insert into knowledge_source (workspace_id, id, kind, title, external_id, texts, asked_as, address, saved_reply_id, etag,
      content, status, reason, valid_until, due_at, read_at, created_at, updated_at)
    values (${workspaceId}, ${one.id}, ${one.kind}, ${one.title}, ${one.externalId}, ${JSON.stringify(one.texts)}::jsonb,
      ${JSON.stringify(one.askedAs)}::jsonb, ${one.address}, ${one.savedReplyId}, ${one.etag}, ${more.content ?? null},
      ${one.status}, ${one.reason}, ${one.validUntil}, ${more.dueAt},
      ${one.status === "ready" ? more.at : null}, ${more.at}, ${more.at})
    on conflict do nothing returning 1`);
  return rows.length > 0;
}

export async function updateSource(
  tx: Tx,
  workspaceId: string,
  one: SourceDraft,
  at: Date,
): Promise<void> {
  await tx.query(sql`
    update knowledge_source set title = ${one.title}, external_id = ${one.externalId},
      texts = ${JSON.stringify(one.texts)}::jsonb, asked_as = ${JSON.stringify(one.askedAs)}::jsonb,
      status = ${one.status}, reason = ${one.reason}, valid_until = ${one.validUntil}, updated_at = ${at}
    where workspace_id = ${workspaceId} and id = ${one.id}`);
}

export async function setChunkCount(
  tx: Tx,
  workspaceId: string,
  id: string,
  chunks: number,
): Promise<void> {
  await tx.query(
    sql`update knowledge_source set chunks = ${chunks} where workspace_id = ${workspaceId} and id = ${id}`,
  );
}

export async function selectSource(
  db: Queryable,
  workspaceId: string,
  id: string,
): Promise<SourceRow | null> {
  const [row] = await db.query<SourceRow>(
    sql`select ${COLUMNS} from knowledge_source where workspace_id = ${workspaceId} and id = ${id}`,
  );
  return row ?? null;
}

/** One source, locked until the transaction ends: by its id, or by its id at its origin. */
export async function lockSource(
  tx: Tx,
  workspaceId: string,
  by: { readonly id: string } | { readonly externalId: string },
): Promise<SourceRow | null> {
  const which = "id" in by ? sql`id = ${by.id}` : sql`external_id = ${by.externalId}`;
  const [row] = await tx.query<SourceRow>(
    sql`select ${COLUMNS} from knowledge_source where workspace_id = ${workspaceId} and ${which} for update`,
  );
  return row ?? null;
}

/** Sources, newest first, those behind `after`. */
export function selectSources(
  db: Queryable,
  workspaceId: string,
  { after, limit }: { readonly after: string | null; readonly limit: number },
): Promise<(SourceRow & { readonly languages: KnowledgeLang[] })[]> {
  const behind = after === null ? sql`` : sql`and id < ${after}`;
  return db.query(sql`
    select ${COLUMNS}, coalesce((select array_agg(distinct c.lang order by c.lang) from knowledge_chunk c
      where c.workspace_id = s.workspace_id and c.source_id = s.id), '{}') as languages
    from knowledge_source s where workspace_id = ${workspaceId} ${behind} order by id desc limit ${limit}::int`);
}

export async function deleteSourceRow(tx: Tx, workspaceId: string, id: string): Promise<void> {
  await tx.query(
    sql`delete from knowledge_source where workspace_id = ${workspaceId} and id = ${id}`,
  );
}

/** Has a source read at the next look of the worker. */
export async function makeDue(tx: Tx, workspaceId: string, id: string, at: Date): Promise<void> {
  await tx.query(sql`
    update knowledge_source set status = case when chunks = 0 then 'reading' else status end, due_at = ${at}, etag = null,
      reason = null
    where workspace_id = ${workspaceId} and id = ${id}`);
}

/** Counts an answer for each source, by day; days before `since` are dropped. */
export async function countUses(
  db: Queryable,
  workspaceId: string,
  ids: readonly string[],
  day: string,
  since: string,
): Promise<void> {
  await db.query(sql`
    update knowledge_source set used = coalesce((select jsonb_object_agg(key, value) from jsonb_each(used)
      where key >= ${since}), '{}') || jsonb_build_object(${day}::text, coalesce((used ->> ${day})::int, 0) + 1)
    where workspace_id = ${workspaceId} and id = any(${ids}::uuid[])`);
}

/**
 * Claims a due source for one reader: of the workspace whose knowledge changed longest ago, which each reading does, the one
 * that is due longest. So one workspace's slow files and pages hold up another's for one of them, not for all.
 */
export async function claimDueSource(
  db: Queryable,
  now: Date,
  until: Date,
): Promise<(SourceRow & { readonly workspaceId: string }) | null> {
  const [row] = await db.query<SourceRow & { workspaceId: string }>(sql`
    update knowledge_source s set lease_until = ${until}
    where (workspace_id, id) = (select d.workspace_id, d.id from knowledge_source d
      left join knowledge_version v on v.workspace_id = d.workspace_id
      where d.due_at <= ${now} and (d.lease_until is null or d.lease_until < ${now})
      order by v.changed_at nulls first, d.due_at limit 1 for update of d skip locked)
    returning workspace_id as "workspaceId", ${COLUMNS}`);
  return row ?? null;
}

/** A file's bytes. */
export async function contentOf(
  db: Queryable,
  workspaceId: string,
  id: string,
): Promise<Buffer | null> {
  const [row] = await db.query<{ content: Buffer | null }>(
    sql`select content from knowledge_source where workspace_id = ${workspaceId} and id = ${id}`,
  );
  return row?.content ?? null;
}

export async function storeReading(
  tx: Tx,
  workspaceId: string,
  id: string,
  read: Pick<SourceRow, "status" | "reason" | "title" | "etag" | "readAt"> & {
    readonly dueAt: Date | null;
  },
): Promise<void> {
  await tx.query(sql`
    update knowledge_source set status = ${read.status}, reason = ${read.reason}, title = ${read.title}, etag = ${read.etag},
      read_at = ${read.readAt}, due_at = ${read.dueAt}, lease_until = null
    where workspace_id = ${workspaceId} and id = ${id}`);
}

/** The sources that are saved replies. */
export function selectReplySources(
  db: Queryable,
  workspaceId: string,
): Promise<{ readonly id: string; readonly savedReplyId: string }[]> {
  return db.query(sql`
    select id, saved_reply_id as "savedReplyId" from knowledge_source
    where workspace_id = ${workspaceId} and saved_reply_id is not null`);
}

/** How many pages and files a workspace has, and how many bytes its files are. */
export async function countRead(
  db: Queryable,
  workspaceId: string,
): Promise<{ readonly pages: number; readonly bytes: number }> {
  const [row] = await db.query<{ pages: number; bytes: number }>(sql`
    select (count(*) filter (where kind = 'page'))::int as pages, coalesce(sum(octet_length(content)), 0)::bigint as bytes
    from knowledge_source where workspace_id = ${workspaceId}`);
  return row ?? { pages: 0, bytes: 0 };
}

/** The addresses of pages that a workspace has already. */
export async function selectPageAddresses(db: Queryable, workspaceId: string): Promise<string[]> {
  const rows = await db.query<{ address: string }>(
    sql`select address from knowledge_source where workspace_id = ${workspaceId} and kind = 'page'`,
  );
  return rows.map(({ address }) => address);
}

/** A source by a name that a person or program gives it. */
export interface NamedSource {
  readonly id: string;
  readonly externalId: string | null;
  /** Changes with its chunks. */
  readonly print: string;
}

/** Sources by their ids or by their ids at their origin. */
export function selectNamedSources(
  db: Queryable,
  workspaceId: string,
  names: readonly string[],
): Promise<NamedSource[]> {
  const ids = names.filter(isId);
  return db.query(sql`
    select s.id, s.external_id as "externalId", ${chunkPrint(workspaceId, sql`s.id`)} as print from knowledge_source s
    where s.workspace_id = ${workspaceId}
      and (s.id = any(${ids}::uuid[]) or s.external_id = any(${names}::text[]))`);
}

/** The titles of sources, by id. */
export async function selectTitles(
  db: Queryable,
  workspaceId: string,
  ids: readonly string[],
): Promise<{ readonly id: string; readonly title: string }[]> {
  if (ids.length === 0) return [];
  return db.query(sql`
    select id, title from knowledge_source where workspace_id = ${workspaceId} and id = any (${ids}::uuid[])`);
}
