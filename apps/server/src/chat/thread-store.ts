import type { Queryable } from "../db/database.ts";
import { nilId, sql, type Sql } from "../db/sql.ts";
import type { ThreadRow } from "./chat-message.ts";

/** A visitor on a channel. */
export interface ThreadOwner {
  readonly workspaceId: string;
  readonly channelId: string;
  readonly externalId: string;
}

/** Up to which change of which conversation somebody has seen. No conversation: nothing yet. */
export interface Position {
  readonly conversationId: string | null;
  readonly sequence: number;
}

/** The conversation `c` of a visitor: of its contact on its channel. */
const conversationOf = (owner: ThreadOwner): Sql => sql`
  contact_identity i cross join lateral (select * from conversation where workspace_id = i.workspace_id
    and channel_id = i.channel_id and contact_id = i.contact_id limit 1) c
  where i.workspace_id = ${owner.workspaceId} and i.channel_id = ${owner.channelId}
    and i.external_id = ${owner.externalId}`;

const COLUMNS = sql`
  m.id, m.conversation_id as "conversationId", m.direction, m.text, m.attachments, m.status,
  m.provider_message_id as "providerMessageId", m.created_at as "createdAt", m.read_at as "readAt",
  m.chat_created as "chatCreated", m.chat_changed as "chatChanged"`;

/** Unread ones among the newest messages; more than the widget would show are not counted. */
const LOOKED_AT = 500;

/** Where the visitor's conversation stands, or null when it has none. */
export async function selectStand(
  db: Queryable,
  owner: ThreadOwner,
): Promise<{ conversationId: string; sequence: number; unread: number } | null> {
  const [row] = await db.query<{ conversationId: string; sequence: number; unread: number }>(sql`
    select c.id as "conversationId", c.chat_sequence as sequence,
      (select count(*) from (select m.direction, m.status, m.chat_created from message m
        where m.workspace_id = c.workspace_id and m.conversation_id = c.id order by m.id desc limit ${LOOKED_AT}) n
        where n.direction = 'outbound' and n.status in ('sent', 'delivered') and n.chat_created is not null) as unread
    from ${conversationOf(owner)}`);
  return row ?? null;
}

/** The newest messages that were there at a position, newest first. */
export function selectVisitorHistory(
  db: Queryable,
  workspaceId: string,
  at: { readonly conversationId: string; readonly sequence: number },
  limit: number,
): Promise<ThreadRow[]> {
  return db.query<ThreadRow>(sql`
    select ${COLUMNS} from message m
    where m.workspace_id = ${workspaceId} and m.conversation_id = ${at.conversationId}
      and m.chat_created <= ${at.sequence} and not (m.direction = 'outbound' and m.status = 'failed')
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
    join lateral (select * from message where workspace_id = c.workspace_id and conversation_id = c.id
      and chat_changed > c.after order by chat_changed limit ${limit}) m on true
    order by m.chat_changed`);
}

/** Which of many visitors have something new: their places in the list. One statement. */
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
    cross join lateral (select contact_id from contact_identity where workspace_id = s.workspace_id
      and channel_id = s.channel_id and external_id = s.external_id limit 1) i
    cross join lateral (select id, chat_sequence from conversation where workspace_id = s.workspace_id
      and channel_id = s.channel_id and contact_id = i.contact_id limit 1) c
    where (c.id = s.conversation_id) is not true or c.chat_sequence > s.sequence`);
  return rows.map((row) => row.index);
}

/** The message of that id on the channel. */
export async function selectByChatId(
  db: Queryable,
  key: { readonly workspaceId: string; readonly channelId: string; readonly chatId: string },
): Promise<ThreadRow | null> {
  const [row] = await db.query<ThreadRow>(sql`
    select ${COLUMNS} from message m
    where m.workspace_id = ${key.workspaceId}
      and coalesce(m.channel_id, ${nilId}) = ${key.channelId}
      and m.provider_message_id = ${key.chatId} and m.provider_message_id is not null`);
  return row ?? null;
}

/** Whose conversation it is; null when there is none. */
export async function selectContactId(
  db: Queryable,
  workspaceId: string,
  conversationId: string,
): Promise<string | null> {
  const [row] = await db.query<{ contactId: string }>(sql`
    select contact_id as "contactId" from conversation where workspace_id = ${workspaceId} and id = ${conversationId}`);
  return row?.contactId ?? null;
}
