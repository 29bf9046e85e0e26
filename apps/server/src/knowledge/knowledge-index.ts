import type { Context } from "../context.ts";
import type { Db } from "../db/database.ts";
import { NIL_ID } from "../lib/ids.ts";
import { GramIndex } from "./gram-index.ts";
import { foldGroups, weighGrams, type SynonymGroup } from "./expand-query.ts";
import {
  knowledgeVersion,
  selectChunkIds,
  selectSynonyms,
  selectToIndex,
} from "./knowledge-store.ts";
import { MAX_CHUNKS, type IndexedChunk } from "./source.ts";

/** What the indexes of a process may take together. The index that was not used for longest goes first. */
const MAX_BYTES = 256 * 1024 * 1024;
/** Rows of one read. */
const READ = 500;
/** More changed chunks than this, and than a tenth, are worth a new index. */
const MOST_RECENT = 500;

/** Chunks in an index, by their place in it. */
interface Part {
  readonly index: GramIndex;
  readonly chunks: readonly Pick<IndexedChunk, "chunkId" | "sourceId" | "version">[];
}

/** The knowledge of a workspace as it was at a version: a large part and what has changed since. */
interface Indexed {
  readonly version: number;
  readonly base: Part;
  readonly recent: Part;
  /** Chunks of the large part that were changed or deleted since it was made. */
  readonly dead: ReadonlySet<string>;
  /** The version of the large part. */
  readonly since: number;
  readonly synonyms: readonly SynonymGroup[];
}

/** A chunk and how well it fits: higher is better. */
interface Ranked {
  readonly chunkId: string;
  readonly sourceId: string;
  readonly score: number;
}

/** The indexes of one database in this process. */
class Indexes {
  readonly #kept = new Map<string, Promise<Indexed>>();
  readonly #sizes = new Map<string, number>();

  /** The index of a workspace as it is now. Calls at the same time make it once. */
  async of(db: Db, workspaceId: string): Promise<Indexed> {
    const version = await knowledgeVersion(db, workspaceId);
    const before = this.#kept.get(workspaceId);
    const next = (async () => {
      const old = await before?.catch(() => undefined);
      // A call that looked earlier may find an index that is newer than what it asked for.
      return old && old.version >= version ? old : read(db, workspaceId, version, old);
    })();
    this.#kept.delete(workspaceId);
    this.#kept.set(workspaceId, next);
    try {
      const indexed = await next;
      this.#sizes.set(workspaceId, sizeOf(indexed));
      this.#forget(workspaceId);
      return indexed;
    } catch (error) {
      if (this.#kept.get(workspaceId) === next) this.#kept.delete(workspaceId);
      throw error;
    }
  }

  #forget(but: string): void {
    let bytes = this.#sizes.values().reduce((sum, one) => sum + one, 0);
    for (const workspaceId of this.#kept.keys()) {
      if (bytes <= MAX_BYTES) return;
      if (workspaceId === but) continue;
      bytes -= this.#sizes.get(workspaceId) ?? 0;
      this.#kept.delete(workspaceId);
      this.#sizes.delete(workspaceId);
    }
  }
}

/** An id is a text of 36 characters, in two maps at the most. */
const sizeOf = ({ base, recent }: Indexed): number =>
  base.index.bytes + recent.index.bytes + (base.chunks.length + recent.chunks.length) * 200;

const OF_DATABASE = new WeakMap<object, Indexes>();

const pause = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

async function read(
  db: Db,
  workspaceId: string,
  version: number,
  old: Indexed | undefined,
): Promise<Indexed> {
  const synonyms = foldGroups(await selectSynonyms(db, workspaceId));
  if (old) {
    const [recent, ids] = await Promise.all([
      readChunks(db, workspaceId, old.since),
      selectChunkIds(db, workspaceId),
    ]);
    const most = Math.max(MOST_RECENT, old.base.chunks.length / 10);
    const left = new Set(ids);
    const changed = new Set(recent.map(({ chunkId }) => chunkId));
    const dead = old.base.chunks
      .map(({ chunkId }) => chunkId)
      .filter((id) => !left.has(id) || changed.has(id));
    if (recent.length <= most && dead.length <= most)
      return { ...old, version, synonyms, recent: await partOf(recent), dead: new Set(dead) };
  }
  const all = await readChunks(db, workspaceId, 0);
  const base = await partOf(all);
  // A change during the reads may be in it or not: the next look reads it again.
  return { version, since: version, base, recent: await partOf([]), dead: new Set(), synonyms };
}

async function partOf(chunks: readonly IndexedChunk[]): Promise<Part> {
  const index = await GramIndex.of(chunks, pause);
  return {
    index,
    chunks: chunks.map(({ chunkId, sourceId, version }) => ({ chunkId, sourceId, version })),
  };
}

async function readChunks(db: Db, workspaceId: string, above: number): Promise<IndexedChunk[]> {
  const found: IndexedChunk[] = [];
  for (let after = NIL_ID; found.length < MAX_CHUNKS + READ;) {
    const rows = await selectToIndex(db, workspaceId, { above, after, limit: READ });
    found.push(...rows);
    const last = rows.at(-1);
    if (!last || rows.length < READ) break;
    after = last.chunkId;
  }
  return found;
}

/** The chunks of a workspace that fit a question best, of some sources; none means all. */
export async function rankChunks(
  context: Pick<Context, "db">,
  workspaceId: string,
  query: string,
  { limit, sources }: { readonly limit: number; readonly sources: readonly string[] },
): Promise<Ranked[]> {
  const { db } = context;
  const indexes = OF_DATABASE.get(db.origin) ?? new Indexes();
  OF_DATABASE.set(db.origin, indexes);
  const { base, recent, dead, synonyms } = await indexes.of(db, workspaceId);
  const texts = base.index.size + recent.index.size;
  if (texts === 0) return [];
  const weights = weighGrams(query, synonyms);
  const average = (base.index.total + recent.index.total) / texts || 1;
  const only = sources.length === 0 ? null : new Set(sources);
  const parts = [base, recent].map((part) => ({
    ...part,
    scores: new Float32Array(part.index.size),
    norms: part.index.norms(average),
  }));
  for (const [gram, weight] of weights) {
    const found = base.index.found(gram) + recent.index.found(gram);
    if (found === 0) continue;
    const rarity = Math.log(1 + (texts - found + 0.5) / (found + 0.5));
    for (const { index, scores, norms } of parts) index.score(gram, weight * rarity, norms, scores);
  }
  const best = new Best(limit);
  for (const { chunks, scores } of parts)
    for (let at = 0; at < scores.length; at++) {
      const score = scores[at] ?? 0;
      const chunk = chunks[at];
      if (!chunk || !best.takes(score)) continue;
      const { chunkId, sourceId } = chunk;
      if (chunks === base.chunks && dead.has(chunkId)) continue;
      if (only === null || only.has(sourceId)) best.add({ chunkId, sourceId, score });
    }
  return best.sorted();
}

/** The best of many. Sorting all of 20,000 takes longer than to score them. */
class Best {
  readonly #limit: number;
  #kept: Ranked[] = [];
  #least = 0;
  constructor(limit: number) {
    this.#limit = limit;
  }
  takes(score: number): boolean {
    return score > this.#least;
  }
  add(one: Ranked): void {
    this.#kept.push(one);
    if (this.#kept.length < 4 * this.#limit) return;
    this.#kept = this.sorted();
    this.#least = this.#kept.at(-1)?.score ?? 0;
  }
  sorted(): Ranked[] {
    return this.#kept.toSorted((a, b) => b.score - a.score).slice(0, this.#limit);
  }
}
