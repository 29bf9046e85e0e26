import type { Context } from "../context.ts";
import { NIL_ID } from "../lib/ids.ts";
import { teamReads } from "../operations/team.ts";
import { perform } from "../write.ts";
import { selectSavedReplies } from "./saved-reply-store.ts";

/** The saved replies that the team shares, by shortcut. */
export const listSavedReplies = perform(
  teamReads.listSavedReplies,
  async (_actor, context: Pick<Context, "db">, workspaceId) => ({
    // No member has this id, so those of members are left out.
    items: (await selectSavedReplies(context.db, workspaceId, NIL_ID)).map(
      ({ id, shortcut, title, text }) => ({ id, shortcut, title, text }),
    ),
    nextCursor: null,
  }),
);
