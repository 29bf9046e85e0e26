import type { Queryable } from "../../db/database.ts";
import { sql, type Sql } from "../../db/sql.ts";
import type { PersonMessage } from "./person-messages.ts";

const COLUMNS: Sql = sql`
  m.id, m.conversation_id as "conversationId", m.channel_id as "channelId", m.direction, m.type, m.text,
  m.attachments, m.template, m.status, m.error_code as "errorCode", m.error_message as "errorMessage", m.source,
  m.provider_message_id as "providerMessageId", m.broadcast_id as "broadcastId", m.created_at as "createdAt",
  m.sent_at as "sentAt", m.delivered_at as "deliveredAt", m.read_at as "readAt"`;

/**
 * Messages of these conversations with ids below `below`, newest first, at most `limit`; not those of campaigns. By the index `message_thread`:
 * each conversation gives its newest, and of those the newest are taken.
 */
export function selectBelow(
  db: Queryable,
  workspaceId: string,
  threadIds: readonly string[],
  below: string,
  limit: number,
): Promise<PersonMessage[]> {
  return db.query<PersonMessage>(sql`
    select ${COLUMNS} from unnest(${threadIds}::uuid[]) as t (id)
    cross join lateral (select * from message where workspace_id = ${workspaceId} and conversation_id = t.id
      and id < ${below} and broadcast_id is null order by id desc limit ${limit}) m
    order by m.id desc limit ${limit}`);
}

/** Messages of a conversation with ids above `after`, oldest first, at most `limit`. */
export function selectFrom(
  db: Queryable,
  workspaceId: string,
  threadId: string,
  after: string,
  limit: number,
): Promise<PersonMessage[]> {
  return db.query<PersonMessage>(sql`
    select ${COLUMNS} from message m
    where m.workspace_id = ${workspaceId} and m.conversation_id = ${threadId} and m.id > ${after}
    order by m.id limit ${limit}`);
}

/** Those of these messages that exist, oldest first. */
export function selectByIds(
  db: Queryable,
  workspaceId: string,
  ids: readonly string[],
): Promise<PersonMessage[]> {
  return db.query<PersonMessage>(sql`
    select ${COLUMNS} from message m where m.workspace_id = ${workspaceId} and m.id = any(${ids}::uuid[]) order by m.id`);
}
