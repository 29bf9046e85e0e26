import type { Queryable, Tx } from "../db/database.ts";
import { sql } from "../db/sql.ts";
import type { PersonThread } from "./person-threads.ts";
import { channelIds } from "../channels/channel-sql.ts";
import { threadOf } from "./conversation-sql.ts";

/**
 * The threads of contacts. They are read channel by channel, because the index begins with the channel: a
 * workspace has few channels, and an index by contact would make every new conversation dearer.
 */
export function selectThreads(
  db: Queryable,
  workspaceId: string,
  contactIds: readonly string[],
): Promise<PersonThread[]> {
  return db.query<PersonThread>(sql`
    select v.id, v.contact_id as "contactId", v.channel_id as "channelId", v.channel_type as "channelType",
      v.external_id as "externalId", v.status, v.labels, v.created_at as "createdAt",
      v.last_message_at as "lastMessageAt"
    from ${channelIds(workspaceId)} ch cross join unnest(${contactIds}::uuid[]) as k (contact_id)
    cross join lateral ${threadOf(workspaceId, sql`ch.id`, sql`k.contact_id`)} v
    order by v.id`);
}

/** A transaction that wants to write one of them waits until this one ends, and then finds it gone or changed. */
export async function lockThreadsById(
  tx: Tx,
  workspaceId: string,
  ids: readonly string[],
): Promise<void> {
  await tx.query(sql`
    select 1 from conversation where workspace_id = ${workspaceId} and id = any(${ids}::uuid[])
    order by id for update`);
}

/** Deletes conversations that have no messages left, and returns how many there were. */
export async function deleteThreads(
  tx: Tx,
  workspaceId: string,
  ids: readonly string[],
): Promise<number> {
  const rows = await tx.query(sql`
    delete from conversation where workspace_id = ${workspaceId} and id = any(${ids}::uuid[]) returning 1`);
  return rows.length;
}
