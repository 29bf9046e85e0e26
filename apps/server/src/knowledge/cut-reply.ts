import type { Context } from "../context.ts";
import type { Tx } from "../db/database.ts";
import { sharedReplies, type SharedReply } from "../inbox/shared-replies.ts";
import { cutChunks } from "./cut-chunks.ts";
import { replaceChunks } from "./knowledge-store.ts";
import { placeChunks } from "./place-chunks.ts";
import { replyText } from "./reply-text.ts";
import { langOf, type Chunk } from "./source.ts";
import { setChunkCount, storeReading, type SourceRow } from "./source-store.ts";

type CutContext = Pick<Context, "ids" | "clock">;

/** Cuts the source of a saved reply again from what that says now. */
export async function recutReply(
  context: CutContext,
  tx: Tx,
  workspaceId: string,
  source: SourceRow,
  version: number,
): Promise<void> {
  const reply = (await sharedReplies(tx, workspaceId)).find(({ id }) => id === source.savedReplyId);
  if (reply) await cutReply(context, tx, workspaceId, source, reply, version);
}

/** Cuts what a saved reply says into the chunks of its source. Throws NOT_ALLOWED_IN_STATE when the knowledge is full. */
export async function cutReply(
  context: CutContext,
  tx: Tx,
  workspaceId: string,
  { id, askedAs, ...source }: SourceRow,
  { title, text }: Pick<SharedReply, "title" | "text">,
  version: number,
): Promise<Pick<SourceRow, "status" | "reason"> & { readonly chunks: readonly Chunk[] }> {
  const pieces = cutChunks(title, replyText(text)).map((piece, place) => ({
    ...piece,
    place,
    lang: langOf(piece.text),
  }));
  const reason = pieces.length === 0 ? "only_places" : null;
  await storeCut(context, tx, workspaceId, { ...source, id }, { title }, reason);
  const chunks = await placeChunks(context, tx, workspaceId, { id, askedAs, pieces }, version);
  return { status: reason === null ? "ready" : "failed", reason, chunks };
}

/** The saved reply found no room: its source says so, and has no chunks. */
export async function storeFull(
  context: CutContext,
  tx: Tx,
  workspaceId: string,
  source: SourceRow,
  reply: Pick<SharedReply, "title">,
  version: number,
): Promise<void> {
  await storeCut(context, tx, workspaceId, source, reply, "knowledge_full");
  await replaceChunks(tx, workspaceId, source.id, version, []);
  await setChunkCount(tx, workspaceId, source.id, 0);
}

const storeCut = (
  context: CutContext,
  tx: Tx,
  workspaceId: string,
  { id }: Pick<SourceRow, "id">,
  { title }: Pick<SharedReply, "title">,
  reason: string | null,
): Promise<void> =>
  storeReading(tx, workspaceId, id, {
    status: reason === null ? "ready" : "failed",
    reason,
    title,
    etag: null,
    readAt: context.clock.now(),
    dueAt: null,
  });
