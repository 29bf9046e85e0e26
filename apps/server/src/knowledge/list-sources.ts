import type { Context } from "../context.ts";
import { cursorOf, cutPage } from "../lib/cut-page.ts";
import { tagOfRecord } from "../lib/version-tag.ts";
import { PAGE_ITEMS } from "../operations/page.ts";
import { knowledgeOperations } from "../operations/knowledge.ts";
import type { SourceJson } from "../wire/knowledge.ts";
import { perform } from "../write.ts";
import { selectChunksOf } from "./knowledge-store.ts";
import { searchKnowledge } from "./search-knowledge.ts";
import { KNOWLEDGE_LANGS, type KnowledgeLang } from "./source.ts";
import { idOf, notFound } from "./source-id.ts";
import { countUses, selectSource, selectSources, type SourceRow } from "./source-store.ts";

export {
  selectNamedSources as namedSources,
  selectTitles as sourceTitles,
  type NamedSource,
} from "./source-store.ts";

type ReadContext = Pick<Context, "db" | "clock">;
const DAY_MS = 86_400_000;
/** Chunks that a page of a source shows. */
const SHOWN = 200;

/** A source as people and programs see it. */
export function presentSource(
  row: SourceRow & { readonly languages: readonly KnowledgeLang[] },
  now: Date,
): SourceJson {
  const { savedReplyId: _saved, etag: _etag, used, texts, askedAs, validUntil, ...one } = row;
  const since = dayOf(new Date(now.getTime() - 30 * DAY_MS));
  const counts = Object.entries(used).map(([day, n]) => (day >= since ? n : 0));
  return {
    ...one,
    texts: { en: texts.en ?? null, ar: texts.ar ?? null },
    askedAs,
    status: validUntil !== null && validUntil <= now ? "out_of_date" : row.status,
    languages: row.languages,
    used: counts.reduce((sum, n) => sum + n, 0),
    validUntil: validUntil?.toISOString() ?? null,
    readAt: row.readAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

/** The sources of a workspace, newest first. */
export const listKnowledge = perform(
  knowledgeOperations.listKnowledge,
  async (_actor, context: ReadContext, workspaceId, { cursor, limit = PAGE_ITEMS }) => {
    const after = cursorOf(cursor);
    const rows = await selectSources(context.db, workspaceId, { after, limit: limit + 1 });
    const { items, last } = cutPage(rows, limit);
    const now = context.clock.now();
    return { items: items.map((row) => presentSource(row, now)), nextCursor: last?.id ?? null };
  },
);

/**
 * What members write of a source, which its version is made of: that it is used or read again makes no other. A page that is
 * read again names itself.
 */
export const writtenPart = ({
  kind,
  title,
  externalId,
  texts,
  askedAs,
  validUntil,
}: SourceRow): object => ({
  title: kind === "page" ? null : title,
  externalId,
  texts,
  askedAs,
  validUntil,
});

/** One source with its chunks. Throws NOT_FOUND. */
export const readSource = perform(
  knowledgeOperations.readSource,
  async (_actor, context: ReadContext, workspaceId, { id }) => {
    const row = await selectSource(context.db, workspaceId, idOf(id));
    if (!row) throw notFound();
    const chunks = await selectChunksOf(context.db, workspaceId, row.id);
    const languages = KNOWLEDGE_LANGS.filter((lang) => chunks.some((one) => one.lang === lang));
    return {
      ...presentSource({ ...row, languages: languages.toSorted() }, context.clock.now()),
      etag: tagOfRecord(writtenPart(row)),
      parts: chunks
        .slice(0, SHOWN)
        .map(({ chunkId, lang, title, text }) => ({ chunkId, lang, title, text })),
    };
  },
);

/** What a source says, chunk by chunk, and how customers ask for it. Throws NOT_FOUND. */
export async function sourceWords(
  { db }: Pick<Context, "db">,
  workspaceId: string,
  id: string,
): Promise<{
  readonly title: string;
  readonly texts: readonly string[];
  readonly askedAs: readonly string[];
}> {
  const row = await selectSource(db, workspaceId, idOf(id));
  if (!row) throw notFound();
  const chunks = await selectChunksOf(db, workspaceId, row.id);
  return { title: row.title, texts: chunks.map(({ text }) => text), askedAs: row.askedAs };
}

/** What fits a question, as a bot finds it. */
export const findKnowledge = perform(
  knowledgeOperations.searchKnowledge,
  async (_actor, context: ReadContext, workspaceId, { query, limit = 10 }, { keep }) => {
    const items = await searchKnowledge(context, workspaceId, query, { limit });
    return context.db.transaction((tx) => keep(tx, { items }));
  },
);

/** Counts an answer for each source that it rests on. A lost count costs a number on a page only. */
export async function recordUse(
  context: ReadContext,
  workspaceId: string,
  sourceIds: readonly string[],
): Promise<void> {
  const now = context.clock.now();
  const since = dayOf(new Date(now.getTime() - 30 * DAY_MS));
  await countUses(context.db, workspaceId, [...new Set(sourceIds)].sort(), dayOf(now), since);
}
