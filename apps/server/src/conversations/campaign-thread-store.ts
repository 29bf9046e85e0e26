import type { Tx } from "../db/database.ts";
import { sql } from "../db/sql.ts";

/**
 * Locks the threads of these contacts on a channel, in id order as everywhere, and returns the thread of each
 * contact. It returns two columns, because a send to thousands needs no others. Workspace and channel are given
 * with each contact: for single values the planner looks into its statistics, and takes a workspace with new
 * conversations for an empty one.
 */
export function lockThreads(
  tx: Tx,
  on: { readonly workspaceId: string; readonly channelId: string },
  contactIds: readonly string[],
): Promise<{ id: string; contactId: string }[]> {
  return tx.query<{ id: string; contactId: string }>(sql`
    select c.id, c.contact_id as "contactId"
    from (
      select f.workspace_id, f.id
      from unnest(${contactIds.map(() => on.workspaceId)}::uuid[], ${contactIds.map(() => on.channelId)}::uuid[],
        ${contactIds}::uuid[]) as u (workspace_id, channel_id, contact_id)
      cross join lateral (select workspace_id, id from conversation
        where workspace_id = u.workspace_id and channel_id = u.channel_id and contact_id = u.contact_id limit 1) f
      order by f.workspace_id, f.id
    ) k cross join lateral (select id, contact_id from conversation
      where workspace_id = k.workspace_id and id = k.id for no key update) c`);
}
