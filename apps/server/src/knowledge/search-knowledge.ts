import type { Context } from "../context.ts";
import { bareWords } from "../messages/search/search-terms.ts";
import { queryWords } from "./expand-query.ts";
import { gramsOfWord } from "./grams.ts";
import { rankChunks } from "./knowledge-index.ts";
import { selectChunks, selectFew, selectSiblings, type FoundChunk } from "./knowledge-store.ts";
import { langOf, type KnowledgeLang } from "./source.ts";

/** A chunk that was found, as it is now. */
export interface Found {
  readonly sourceId: string;
  readonly externalId: string | null;
  readonly chunkId: string;
  readonly title: string;
  readonly text: string;
  readonly lang: KnowledgeLang;
  /** How well it fits the question, higher is better; comparable within one search only. */
  readonly score: number;
  /** The words of the question that it has, or nearly. */
  readonly matched: readonly string[];
}

/** Knowledge of so many chunks goes into a prompt whole. */
const SMALL = 40;
/** The most tokens of chunks in a prompt, and the most bytes of one token in the texts of both languages, about. */
const MAX_TOKENS = 6_000;
const TOKEN_BYTES = 4;
/** A chunk in the question's language counts more than the same one in the other language. */
const OWN_LANGUAGE = 1.15;
/** The longest question that is looked at, in characters. */
const MAX_QUERY = 2_000;

type SearchContext = Pick<Context, "db" | "clock">;

/**
 * The chunks that fit a question best, best first: by the letter grams of its words, and of words that mean the same.
 * Sources that are no longer valid are left out. `sources` are the ids of those that may be used; none means all.
 */
export async function searchKnowledge(
  context: SearchContext,
  workspaceId: string,
  query: string,
  { limit, sources = [] }: { readonly limit: number; readonly sources?: readonly string[] },
): Promise<Found[]> {
  const asked = cut(query);
  const ranked = await rankChunks(context, workspaceId, asked, { limit: limit + ENDED, sources });
  return readRanked(context, workspaceId, asked, ranked, limit);
}

/** A search finds so many more chunks than are wanted, because some may have ended. */
const ENDED = 20;

const cut = (query: string): string => query.slice(0, MAX_QUERY).toWellFormed();

/** The best chunks of a ranking that are still valid, as they are now. */
async function readRanked(
  context: SearchContext,
  workspaceId: string,
  asked: string,
  ranked: Awaited<ReturnType<typeof rankChunks>>,
  limit: number,
): Promise<Found[]> {
  const ids = ranked.map(({ chunkId }) => chunkId);
  const rows = await selectChunks(context.db, workspaceId, ids, context.clock.now());
  const byId = new Map(rows.map((row) => [row.chunkId, row]));
  const lang = langOf(asked);
  return ranked
    .flatMap(({ chunkId, score }) => {
      const row = byId.get(chunkId);
      return row ? [shownAs(row, ownLanguageFirst(score, row, lang), asked)] : [];
    })
    .sort((a, b) => b.score - a.score)
    .slice(0, limit);
}

/**
 * The chunks that a prompt gets, best first. Knowledge of at most 40 chunks goes in whole, else what fits the question
 * best, up to 6,000 tokens. A snippet that has a text in the customer's language is given in that language.
 */
export async function chunksForPrompt(
  context: SearchContext,
  workspaceId: string,
  asked: {
    readonly query: string;
    readonly sources: readonly string[];
    readonly lang: KnowledgeLang;
  },
): Promise<Found[]> {
  const { query, sources, lang } = asked;
  const words = cut(query);
  const limit = 4 * SMALL;
  const [few, ranked] = await Promise.all([
    selectFew(context.db, workspaceId, sources, context.clock.now(), SMALL),
    rankChunks(context, workspaceId, words, { limit: limit + ENDED, sources }),
  ]);
  if (few) {
    const scores = new Map(ranked.map(({ chunkId, score }) => [chunkId, score]));
    const own = langOf(words);
    return few
      .map((row) => shownAs(row, ownLanguageFirst(scores.get(row.chunkId) ?? 0, row, own), words))
      .sort((a, b) => b.score - a.score);
  }
  const found = await readRanked(context, workspaceId, words, ranked, limit);
  return withinTokens(await inLanguage(context, workspaceId, found, lang, words));
}

const ownLanguageFirst = (score: number, { lang }: FoundChunk, asked: KnowledgeLang): number =>
  lang === asked ? score * OWN_LANGUAGE : score;

/** Replaces a snippet's text in the other language by the one in the customer's, where there is one. */
async function inLanguage(
  context: SearchContext,
  workspaceId: string,
  found: readonly Found[],
  lang: KnowledgeLang,
  query: string,
): Promise<Found[]> {
  const others = found.filter((one) => one.lang !== lang).map(({ sourceId }) => sourceId);
  if (others.length === 0) return [...found];
  const siblings = await selectSiblings(context.db, workspaceId, [...new Set(others)], lang);
  const bySource = Map.groupBy(siblings, ({ sourceId }) => sourceId);
  const seen = new Set<string>();
  return found
    .flatMap((one) => {
      const own = one.lang === lang ? undefined : bySource.get(one.sourceId);
      return own ? own.map((row) => shownAs(row, one.score, query)) : [one];
    })
    .filter(({ chunkId }) => !seen.has(chunkId) && seen.add(chunkId));
}

function withinTokens(found: readonly Found[]): Found[] {
  let tokens = 0;
  return found.filter(({ title, text }) => {
    tokens += Math.ceil(Buffer.byteLength(`${title}\n${text}`) / TOKEN_BYTES);
    return tokens <= MAX_TOKENS;
  });
}

function shownAs(row: FoundChunk, score: number, query: string): Found {
  const { sourceId, externalId, chunkId, title, text, lang } = row;
  const grams = new Set(bareWords(`${title} ${text}`).flatMap(gramsOfWord));
  const matched = [...new Set(queryWords(query))].filter((word) => {
    const own = gramsOfWord(word);
    return own.filter((gram) => grams.has(gram)).length * 2 >= own.length;
  });
  return {
    sourceId,
    externalId,
    chunkId,
    title,
    text,
    lang,
    score: Math.round(score * 100) / 100,
    matched,
  };
}
