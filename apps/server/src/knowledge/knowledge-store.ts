import type { Db, Queryable, Tx } from "../db/database.ts";
import { sql, type Sql } from "../db/sql.ts";
import type { Chunk, IndexedChunk, KnowledgeLang } from "./source.ts";

/** The number of the newest change of a workspace's knowledge; 0: there was none. */
export async function knowledgeVersion(db: Db, workspaceId: string): Promise<number> {
  const [row] = await db.read<{ version: number }>(
    sql`select version from knowledge_version where workspace_id = ${workspaceId}`,
  );
  return row?.version ?? 0;
}

/** The number of a change that is being made. Whoever calls it holds the workspace's knowledge until the commit. */
export async function nextVersion(tx: Tx, workspaceId: string, at: Date): Promise<number> {
  const [row] = await tx.query<{ version: number }>(sql`
    insert into knowledge_version (workspace_id, version, changed_at) values (${workspaceId}, 1, ${at})
    on conflict (workspace_id) do update set version = knowledge_version.version + 1, changed_at = excluded.changed_at
    returning version`);
  if (!row) throw new Error("no version came back");
  return row.version;
}

/** Chunks of an index, behind `after` in the order of their ids. */
export function selectToIndex(
  db: Queryable,
  workspaceId: string,
  {
    above,
    after,
    limit,
  }: { readonly above: number; readonly after: string; readonly limit: number },
): Promise<IndexedChunk[]> {
  return db.query(sql`
    select id as "chunkId", source_id as "sourceId", version, title, text, asked_as as "askedAs" from knowledge_chunk
    where workspace_id = ${workspaceId} and version > ${above} and id > ${after} order by id limit ${limit}::int`);
}

/** The ids of all chunks of a workspace. */
export async function selectChunkIds(db: Queryable, workspaceId: string): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    sql`select id from knowledge_chunk where workspace_id = ${workspaceId}`,
  );
  return rows.map(({ id }) => id);
}

const FOUND: Sql = sql`c.id as "chunkId", c.source_id as "sourceId", s.external_id as "externalId", c.title, c.text, c.lang,
  c.place`;

export interface FoundChunk {
  readonly chunkId: string;
  readonly sourceId: string;
  readonly externalId: string | null;
  readonly title: string;
  readonly text: string;
  readonly lang: KnowledgeLang;
  readonly place: number;
}

/** Chunks by id, of sources that are valid now. */
export function selectChunks(
  db: Queryable,
  workspaceId: string,
  ids: readonly string[],
  now: Date,
): Promise<FoundChunk[]> {
  // By their ids first: a plan that begins with the source reads all chunks of a large one.
  return db.query(sql`
    with named as materialized (
      select * from knowledge_chunk where workspace_id = ${workspaceId} and id = any(${ids}::uuid[]))
    select ${FOUND} from named c join knowledge_source s on s.workspace_id = c.workspace_id and s.id = c.source_id
    where s.valid_until is null or s.valid_until > ${now}`);
}

/** All valid chunks of a workspace, or of some sources (none means all), when they are few; null: there are more than `most`. */
export async function selectFew(
  db: Queryable,
  workspaceId: string,
  sources: readonly string[],
  now: Date,
  most: number,
): Promise<FoundChunk[] | null> {
  const of = sources.length === 0 ? sql`` : sql`and c.source_id = any(${sources}::uuid[])`;
  const rows = await db.query<FoundChunk>(sql`
    select ${FOUND} from knowledge_chunk c join knowledge_source s on s.workspace_id = c.workspace_id and s.id = c.source_id
    where c.workspace_id = ${workspaceId} and (s.valid_until is null or s.valid_until > ${now}) ${of}
    order by c.id limit ${most + 1}::int`);
  return rows.length > most ? null : rows;
}

/** Chunks of the same sources and places in a language. */
export function selectSiblings(
  db: Queryable,
  workspaceId: string,
  sourceIds: readonly string[],
  lang: KnowledgeLang,
): Promise<FoundChunk[]> {
  return db.query(sql`
    select ${FOUND} from knowledge_chunk c join knowledge_source s on s.workspace_id = c.workspace_id and s.id = c.source_id
    where c.workspace_id = ${workspaceId} and c.source_id = any(${sourceIds}::uuid[]) and c.lang = ${lang}
      and s.kind = 'snippet'`);
}

/** Replaces the chunks of a source. Chunks whose words stay the same keep their ids. */
export async function replaceChunks(
  tx: Tx,
  workspaceId: string,
  sourceId: string,
  version: number,
  chunks: readonly Chunk[],
): Promise<void> {
  const rows = JSON.stringify(
    chunks.map(({ chunkId: id, askedAs: asked_as, ...one }) => ({ id, asked_as, ...one })),
  );
  await tx.query(sql`
    delete from knowledge_chunk where workspace_id = ${workspaceId} and source_id = ${sourceId}
      and id <> all(${chunks.map(({ chunkId }) => chunkId)}::uuid[])`);
  await tx.query(sql`
    insert into knowledge_chunk (workspace_id, id, source_id, version, lang, place, title, text, asked_as)
    select ${workspaceId}, id, ${sourceId}, ${version}, lang, place, title, text, asked_as
    from jsonb_to_recordset(${rows}::jsonb)
      as one (id uuid, lang text, place int, title text, text text, asked_as text)
    on conflict (workspace_id, id) do update set version = excluded.version, place = excluded.place,
      asked_as = excluded.asked_as`);
}

/** The chunks of a source, in their order. */
export function selectChunksOf(
  db: Queryable,
  workspaceId: string,
  sourceId: string,
): Promise<Chunk[]> {
  return db.query(sql`
    select id as "chunkId", lang, place, title, text, asked_as as "askedAs" from knowledge_chunk
    where workspace_id = ${workspaceId} and source_id = ${sourceId} order by lang, place`);
}

export async function countChunks(db: Queryable, workspaceId: string): Promise<number> {
  const [row] = await db.query<{ n: number }>(
    sql`select count(*)::int as n from knowledge_chunk where workspace_id = ${workspaceId}`,
  );
  return row?.n ?? 0;
}

export async function selectSynonyms(db: Queryable, workspaceId: string): Promise<string[][]> {
  const rows = await db.query<{ words: string[] }>(
    sql`select words from synonym_group where workspace_id = ${workspaceId} order by place`,
  );
  return rows.map(({ words }) => words);
}

export async function replaceSynonyms(
  tx: Tx,
  workspaceId: string,
  groups: readonly (readonly string[])[],
): Promise<void> {
  await tx.query(sql`delete from synonym_group where workspace_id = ${workspaceId}`);
  await tx.query(sql`
    insert into synonym_group (workspace_id, place, words)
    select ${workspaceId}, place, words from jsonb_array_elements(${JSON.stringify(groups)}::jsonb)
      with ordinality as one (words, place)`);
}
