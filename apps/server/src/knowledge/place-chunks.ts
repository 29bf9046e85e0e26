import type { Context } from "../context.ts";
import type { Tx } from "../db/database.ts";
import { AppError } from "../errors.ts";
import type { Indexable } from "./gram-index.ts";
import { countChunks, replaceChunks, selectChunksOf } from "./knowledge-store.ts";
import { KNOWLEDGE_LANGS, MAX_CHUNKS, type Chunk, type KnowledgeLang } from "./source.ts";
import { setChunkCount } from "./source-store.ts";

/** The languages of chunks. */
export const languagesOf = (chunks: readonly Pick<Chunk, "lang">[]): KnowledgeLang[] =>
  KNOWLEDGE_LANGS.filter((lang) => chunks.some((one) => one.lang === lang)).sort();

/** Stores the pieces of a source as its chunks. Throws NOT_ALLOWED_IN_STATE above the most of a workspace. */
export async function placeChunks(
  context: Pick<Context, "ids">,
  tx: Tx,
  workspaceId: string,
  source: {
    readonly id: string;
    readonly askedAs: readonly string[];
    readonly pieces: readonly Omit<Chunk, "chunkId" | "askedAs">[];
  },
  version: number,
): Promise<Chunk[]> {
  const before = new Map(
    (await selectChunksOf(tx, workspaceId, source.id)).map((one) => [sameAs(one), one.chunkId]),
  );
  const askedAs = source.askedAs.join("\n");
  const chunks = source.pieces.map((piece) => {
    const chunk = { ...piece, askedAs };
    const known = before.get(sameAs(chunk));
    before.delete(sameAs(chunk));
    return { ...chunk, chunkId: known ?? context.ids.next() };
  });
  await replaceChunks(tx, workspaceId, source.id, version, chunks);
  await setChunkCount(tx, workspaceId, source.id, chunks.length);
  if ((await countChunks(tx, workspaceId)) > MAX_CHUNKS)
    throw new AppError("NOT_ALLOWED_IN_STATE", {
      explanation: `the knowledge of a workspace has at most ${MAX_CHUNKS} chunks; delete a source first`,
    });
  return chunks;
}

const sameAs = ({ lang, title, text, askedAs }: Indexable & Pick<Chunk, "lang">): string =>
  JSON.stringify([lang, title, text, askedAs]);
