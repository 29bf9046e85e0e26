import type { Context } from "../context.ts";
import type { Queryable, Tx } from "../db/database.ts";
import { isId, NIL_ID } from "../lib/ids.ts";
import { savedReplies } from "../operations/saved-replies.ts";
import { perform } from "../write.ts";
import { lockTeamReplies, selectSavedReplies } from "./saved-reply-store.ts";

/** A text that the team shares. */
export interface SharedReply {
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

/** What the team shares, by shortcut. */
export const sharedReplies = async (db: Queryable, workspaceId: string): Promise<SharedReply[]> =>
  // No member has this id, so those of members are left out.
  (await selectSavedReplies(db, workspaceId, NIL_ID)).map(({ id, title, text }) => ({
    id,
    title,
    text,
  }));

/** Those of them that the team shares, by shortcut. They stay as they are until the transaction ends. */
export const lockSharedReplies = (
  tx: Tx,
  workspaceId: string,
  ids: readonly string[],
): Promise<SharedReply[]> => lockTeamReplies(tx, workspaceId, ids.filter(isId));

/** The saved replies that the team shares, by shortcut. */
export const listSavedReplies = perform(
  savedReplies.listSavedReplies,
  async (_actor, context: Pick<Context, "db">, workspaceId) => ({
    // No member has this id, so those of members are left out.
    items: (await selectSavedReplies(context.db, workspaceId, NIL_ID)).map(
      ({ id, shortcut, title, text }) => ({ id, shortcut, title, text }),
    ),
    nextCursor: null,
  }),
);
