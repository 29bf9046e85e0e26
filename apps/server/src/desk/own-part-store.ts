import type { Queryable } from "../db/database.ts";
import { sql } from "../db/sql.ts";

export interface OwnPartKey {
  readonly workspaceId: string;
  readonly memberId: string;
  readonly conversationId: string;
}

/**
 * Stores how many messages a member has seen, at most as many as there are. Fewer than were answered: the member marked it
 * unread. False: the inbox has no such row.
 */
export async function upsertSeen(db: Queryable, key: OwnPartKey, seen: number): Promise<boolean> {
  const rows = await db.query(sql`
    insert into desk_read (workspace_id, member_id, conversation_id, seen, kept_unread)
    select workspace_id, ${key.memberId}::uuid, conversation_id, least(${seen}::integer, inbound_count),
      ${seen}::integer < answered_inbound
    from desk_conversation where workspace_id = ${key.workspaceId} and conversation_id = ${key.conversationId}
    on conflict (workspace_id, member_id, conversation_id) do update set seen = excluded.seen,
      kept_unread = excluded.kept_unread, mentioned = false
    returning 1`);
  return rows.length > 0;
}

/** A note names these members. */
export async function insertMentions(
  db: Queryable,
  workspaceId: string,
  conversationId: string,
  memberIds: readonly string[],
): Promise<void> {
  await db.query(sql`
    insert into desk_read (workspace_id, member_id, conversation_id, mentioned)
    select ${workspaceId}::uuid, m.id, ${conversationId}::uuid, true
    from (select distinct * from unnest(${memberIds}::uuid[]) u (id) order by 1) m
    on conflict (workspace_id, member_id, conversation_id) do update set mentioned = true`);
}
