import type { Context, SavedReplyFollower } from "../context.ts";
import type { Tx } from "../db/database.ts";
import { AppError, invalid } from "../errors.ts";
import { lockSharedReplies, sharedReplies, type SharedReply } from "../inbox/shared-replies.ts";
import { knowledgeOperations } from "../operations/knowledge.ts";
import type { SourceJson } from "../wire/knowledge.ts";
import { audit } from "../workspaces/write-audit.ts";
import { perform } from "../write.ts";
import { cutReply, storeFull } from "./cut-reply.ts";
import { nextVersion } from "./knowledge-store.ts";
import { presentSource } from "./list-sources.ts";
import { languagesOf } from "./place-chunks.ts";
import {
  deleteSourceRow,
  insertSource,
  lockSource,
  selectReplySources,
  type SourceDraft,
} from "./source-store.ts";

type AddContext = Pick<Context, "db" | "ids" | "clock">;

/** The shared saved replies, each with the source that it is. */
export const listReplySources = perform(
  knowledgeOperations.listReplySources,
  async (_actor, { db }: Pick<Context, "db">, workspaceId) => {
    const [replies, sources] = await Promise.all([
      sharedReplies(db, workspaceId),
      selectReplySources(db, workspaceId),
    ]);
    const byReply = new Map(sources.map(({ id, savedReplyId }) => [savedReplyId, id]));
    return { items: replies.map((one) => ({ ...one, sourceId: byReply.get(one.id) ?? null })) };
  },
);

/**
 * Makes shared saved replies sources, which then follow them; one that is a source already stays as it is. Throws
 * VALIDATION_FAILED for an id that no shared saved reply has, and NOT_ALLOWED_IN_STATE when the knowledge is full.
 */
export const addSavedReplies = perform(
  knowledgeOperations.addSavedReplies,
  (actor, context: AddContext, workspaceId, { savedReplyIds }, { keep }) =>
    context.db.transaction(async (tx) => {
      const ids = [...new Set(savedReplyIds)];
      // Before the workspace's knowledge, as a change of a saved reply does.
      const replies = await lockSharedReplies(tx, workspaceId, ids);
      const strange = savedReplyIds.findIndex((id) => !replies.some((one) => one.id === id));
      if (strange >= 0)
        throw invalid(
          `savedReplyIds.${strange}`,
          "must be the id of a saved reply that the team shares",
        );
      const version = await nextVersion(tx, workspaceId, context.clock.now());
      const items: SourceJson[] = [];
      for (const reply of replies) {
        const made = await insertReply(context, tx, workspaceId, reply, version);
        if (!made) continue;
        await audit(actor, context, tx, workspaceId, {
          action: "knowledge.added",
          subject: made.id,
          facts: { kind: made.kind },
        });
        items.push(made);
      }
      return keep(tx, { items });
    }),
);

/** Null: it is a source already. */
async function insertReply(
  context: AddContext,
  tx: Tx,
  workspaceId: string,
  reply: SharedReply,
  version: number,
): Promise<SourceJson | null> {
  const at = context.clock.now();
  const draft = draftOf(context.ids.next(), reply);
  if (!(await insertSource(tx, workspaceId, draft, { at, dueAt: null }))) return null;
  const row = { ...draft, used: {}, chunks: 0, readAt: at, createdAt: at, updatedAt: at };
  const { chunks, ...cut } = await cutReply(context, tx, workspaceId, row, reply, version);
  const shown = { ...row, ...cut, chunks: chunks.length, languages: languagesOf(chunks) };
  return presentSource(shown, at);
}

const draftOf = (id: string, reply: SharedReply): SourceDraft => ({
  id,
  kind: "saved_reply",
  title: reply.title,
  externalId: null,
  texts: {},
  askedAs: [],
  address: null,
  savedReplyId: reply.id,
  etag: null,
  status: "ready",
  reason: null,
  validUntil: null,
});

/** The source of a shared saved reply says what that says now, or is deleted with it. */
export const followSavedReply: SavedReplyFollower = async (
  context,
  tx,
  workspaceId,
  { id, now },
) => {
  // Under the saved reply's lock: it does not become a source meanwhile.
  const known = (await selectReplySources(tx, workspaceId)).find((one) => one.savedReplyId === id);
  if (!known) return;
  const version = await nextVersion(tx, workspaceId, context.clock.now());
  const source = await lockSource(tx, workspaceId, { id: known.id });
  if (!source) return;
  if (now === null) await deleteSourceRow(tx, workspaceId, source.id);
  // A member who writes a saved reply must not fail because the knowledge is full.
  else
    try {
      await tx.savepoint(() => cutReply(context, tx, workspaceId, source, now, version));
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      await storeFull(context, tx, workspaceId, source, now, version);
    }
};
