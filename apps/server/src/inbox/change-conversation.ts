import type { Actor } from "../actor.ts";
import type { Context } from "../context.ts";
import { presentConversation, type ShownConversation } from "../conversations/conversation.ts";
import { lockShown } from "../conversations/touch-conversations.ts";
import { updateWithin, type ConversationPatch } from "../conversations/update-conversation.ts";
import type { Tx } from "../db/database.ts";
import { AppError, invalid } from "../errors.ts";
import { isId } from "../lib/ids.ts";
import { markMessagesRead } from "../messages/record/mark-read.ts";
import { conversations } from "../operations/conversations.ts";
import type { ConversationStatus } from "../wire/words.ts";
import { perform } from "../write.ts";
import { authorOf } from "./author-of.ts";
import { insertWithin } from "./write-note.ts";

/**
 * Changes a conversation, and writes a note into it in the same transaction. Throws NOT_FOUND, VALIDATION_FAILED,
 * VERSION_MISMATCH.
 */
export const changeConversation = perform(
  conversations.changeConversation,
  async (actor, context: Context, workspaceId, { id, note, ...change }, { match }) => {
    const patch = patchOfChange(context, change);
    const by = note === undefined ? null : await authorOf(actor, context, workspaceId);
    return context.db.transaction(async (tx) => {
      const after = await changeWithin(actor, context, tx, { workspaceId, id }, patch, match);
      if (by && note !== undefined)
        await insertWithin(context, tx, workspaceId, id, by, { text: note }, "note");
      return presentConversation(after);
    });
  },
);

/** Changes many conversations in the same way, each in a transaction of its own. Throws VALIDATION_FAILED. */
export const changeManyConversations = perform(
  conversations.changeManyConversations,
  async (actor, context: Context, workspaceId, { ids, ...change }, { keep }) => {
    const patch = patchOfChange(context, change);
    let changed = 0;
    for (const id of new Set(ids)) {
      const done = await context.db
        .transaction((tx) => changeWithin(actor, context, tx, { workspaceId, id }, patch))
        .catch((error: unknown) => {
          if (error instanceof AppError && error.code === "NOT_FOUND") return null;
          throw error;
        });
      if (done) changed += 1;
    }
    // A repeat after a crash makes the changes that are not yet made, and none twice.
    return context.db.transaction((tx) => keep(tx, { changed }));
  },
);

async function changeWithin(
  actor: Actor,
  context: Context,
  tx: Tx,
  { workspaceId, id }: { readonly workspaceId: string; readonly id: string },
  patch: ConversationPatch,
  match?: (current: object) => void,
): Promise<ShownConversation> {
  const row = isId(id) ? await lockShown(tx, workspaceId, id) : null;
  if (!row) throw new AppError("NOT_FOUND", { explanation: "no such conversation" });
  match?.(presentConversation(row));
  if (patch.read) await markMessagesRead(context, tx, row);
  return updateWithin(actor, context, tx, workspaceId, id, patch);
}

/** A change as programs write it. */
interface Change {
  readonly status?: ConversationStatus | undefined;
  readonly snoozedUntil?: string | undefined;
  readonly assigneeId?: string | null | undefined;
  readonly addLabels?: readonly string[] | undefined;
  readonly removeLabels?: readonly string[] | undefined;
  readonly read?: boolean | undefined;
}

/** The change that is meant. Throws VALIDATION_FAILED for a snooze without an end in the future, and for `read` false. */
export function patchOfChange(
  context: Pick<Context, "clock">,
  { snoozedUntil, read, status, assigneeId, addLabels, removeLabels }: Change,
  path = "snoozedUntil",
): ConversationPatch {
  if ((status === "snoozed") !== (snoozedUntil !== undefined))
    throw invalid(path, "must be given with the status snoozed, and only with it");
  const until = snoozedUntil === undefined ? undefined : new Date(snoozedUntil);
  if (until && !(until > context.clock.now())) throw invalid(path, "must be in the future");
  if (read === false) throw invalid("read", "must be true: nothing makes a conversation unread");
  return {
    ...(status !== undefined && { status }),
    ...(until && { until }),
    ...(assigneeId !== undefined && { assigneeId }),
    ...(addLabels && { addLabels }),
    ...(removeLabels && { removeLabels }),
    ...(read && { read }),
  };
}
