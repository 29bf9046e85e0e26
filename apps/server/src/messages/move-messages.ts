import type { MergeFollower } from "../context.ts";
import { sql } from "../db/sql.ts";

/** The messages of threads that went from a merged contact to the kept one name that one from now on. */
export const moveMessages: MergeFollower = async (_context, tx, merge) => {
  const { workspaceId, keepId, mergedId } = merge;
  await tx.query(sql`
    update message m set contact_id = ${keepId}
    from conversation c
    where c.workspace_id = ${workspaceId} and c.contact_id = ${keepId} and m.workspace_id = c.workspace_id
      and m.conversation_id = c.id and m.contact_id = ${mergedId}`);
  return [];
};
