import type { Tx } from "../db/database.ts";
import { sql } from "../db/sql.ts";

/**
 * Locks the threads of these contacts on a channel, in id order as all who lock several, moves their last time, and gives
 * which thread is whose: one statement in place of a lock that reads every column and an update. The rows are named by
 * an array, because by a join the planner reads every conversation of all workspaces.
 */
export function touchThreads(
  tx: Tx,
  on: { readonly workspaceId: string; readonly channelId: string },
  contactIds: readonly string[],
  at: Date,
): Promise<{ id: string; contactId: string }[]> {
  return tx.query<{ id: string; contactId: string }>(sql`
    with thread as materialized (
      select f.id from unnest(${contactIds}::uuid[]) as u (contact_id)
      cross join lateral (select id from conversation where workspace_id = ${on.workspaceId}
        and channel_id = ${on.channelId} and contact_id = u.contact_id limit 1) f
      order by f.id
    ), locked as materialized (
      select l.id from thread t cross join lateral (select id from conversation
        where workspace_id = ${on.workspaceId} and id = t.id for no key update) l
    )
    update conversation c set last_message_at = greatest(c.last_message_at, ${at}::timestamptz)
    where c.workspace_id = ${on.workspaceId} and c.id = any (array(select id from locked))
    returning c.id, c.contact_id as "contactId"`);
}
