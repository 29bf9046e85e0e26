import type { Queryable } from "../db/database.ts";
import { sql, type Sql } from "../db/sql.ts";
import type { ThreadRow } from "./chat-message.ts";
import { holderOf } from "../contacts/identity/identity-sql.ts";
import { conversationAt, threadOf } from "../conversations/conversation-sql.ts";
import { messagesOf, messageWith } from "../messages/record/message-sql.ts";
import { memberAt } from "../workspaces/workspace-sql.ts";

/** A visitor on a channel. */
export interface ThreadOwner {
  readonly workspaceId: string;
  readonly channelId: string;
  readonly externalId: string;
}

/** The last change that a visitor has seen, and of which conversation. No conversation: nothing yet. */
export interface Position {
  readonly conversationId: string | null;
  readonly sequence: number;
}

/** The conversation `c` of a visitor: that of the visitor's contact on the channel. */
const conversationOf = (owner: ThreadOwner): Sql => sql`
  ${holderOf(owner.workspaceId, owner.channelId, owner.externalId)} i
  cross join lateral ${threadOf(owner.workspaceId, owner.channelId, sql`i.contact_id`)} c`;

const COLUMNS = sql`
  m.id, m.conversation_id as "conversationId", m.direction, m.text, m.attachments, m.status,
  m.provider_message_id as "providerMessageId", m.created_at as "createdAt", m.read_at as "readAt",
  m.chat_created as "chatCreated", m.chat_changed as "chatChanged",
  case when m.author like 'member:%' then (select w.name
    from ${memberAt(sql`m.workspace_id`, sql`substr(m.author, 8)::uuid`)} w) end as "memberName"`;

/** Unread messages among the newest ones. No more are counted than the widget would show. */
const LOOKED_AT = 500;

/** The present position in the visitor's conversation; null when there is none. */
export async function selectStand(
  db: Queryable,
  owner: ThreadOwner,
): Promise<{ conversationId: string; sequence: number; unread: number } | null> {
  const [row] = await db.query<{ conversationId: string; sequence: number; unread: number }>(sql`
    select c.id as "conversationId", c.chat_sequence as sequence,
      (select count(*) from (select m.direction, m.status, m.chat_created
        from ${messagesOf(sql`c.workspace_id`, sql`c.id`)} m order by m.id desc limit ${LOOKED_AT}) n
        where n.direction = 'outbound' and n.status in ('sent', 'delivered') and n.chat_created is not null) as unread
    from ${conversationOf(owner)}`);
  return row ?? null;
}

/** The newest messages that existed at a position, newest first. */
export function selectVisitorHistory(
  db: Queryable,
  workspaceId: string,
  at: { readonly conversationId: string; readonly sequence: number },
  limit: number,
): Promise<ThreadRow[]> {
  return db.query<ThreadRow>(sql`
    select ${COLUMNS} from ${messagesOf(workspaceId, at.conversationId)} m
    where m.chat_created <= ${at.sequence} and not (m.direction = 'outbound' and m.status = 'failed')
    order by m.id desc limit ${limit}`);
}

/** What changed in the visitor's conversation after a position, in the order of the changes. */
export function selectVisitorChanges(
  db: Queryable,
  owner: ThreadOwner,
  after: Position,
  limit: number,
): Promise<ThreadRow[]> {
  return db.query<ThreadRow>(sql`
    select ${COLUMNS}
    from (select c.workspace_id, c.id, case when c.id = ${after.conversationId}::uuid then ${after.sequence}::bigint
        else 0 end as after from ${conversationOf(owner)}) c
    join lateral (select m.* from ${messagesOf(sql`c.workspace_id`, sql`c.id`)} m
      where m.chat_changed > c.after order by m.chat_changed limit ${limit}) m on true
    order by m.chat_changed`);
}

/** Which of many visitors have something new, as places in the list. One statement. */
export async function selectBehind(
  db: Queryable,
  list: readonly (ThreadOwner & Position)[],
): Promise<number[]> {
  const rows = await db.query<{ index: number }>(sql`
    select (s.n - 1)::integer as index
    from unnest(${list.map((one) => one.workspaceId)}::uuid[], ${list.map((one) => one.channelId)}::uuid[],
      ${list.map((one) => one.externalId)}::text[], ${list.map((one) => one.conversationId)}::uuid[],
      ${list.map((one) => one.sequence)}::bigint[]) with ordinality
      as s (workspace_id, channel_id, external_id, conversation_id, sequence, n)
    cross join lateral ${holderOf(sql`s.workspace_id`, sql`s.channel_id`, sql`s.external_id`)} i
    cross join lateral ${threadOf(sql`s.workspace_id`, sql`s.channel_id`, sql`i.contact_id`)} c
    where (c.id = s.conversation_id) is not true or c.chat_sequence > s.sequence`);
  return rows.map((row) => row.index);
}

/** The message of that id on the channel. */
export async function selectByChatId(
  db: Queryable,
  key: { readonly workspaceId: string; readonly channelId: string; readonly chatId: string },
): Promise<ThreadRow | null> {
  const [row] = await db.query<ThreadRow>(sql`
    select ${COLUMNS} from ${messageWith(key.workspaceId, key.channelId, key.chatId)} m`);
  return row ?? null;
}

/** The visitor's conversation; null when there is none. */
export async function selectContactId(
  db: Queryable,
  workspaceId: string,
  conversationId: string,
): Promise<string | null> {
  const [row] = await db.query<{ contactId: string }>(sql`
    select v.contact_id as "contactId" from ${conversationAt(workspaceId, conversationId)} v`);
  return row?.contactId ?? null;
}
