import { botName, isAiBot } from "../bots/record/bot-sql.ts";
import { turnOfMessage } from "../bots/turn/turn-sql.ts";
import { broadcastName } from "../broadcasts/record/broadcast-sql.ts";
import type { Queryable, Tx } from "../db/database.ts";
import { ifGiven, sql, type Sql } from "../db/sql.ts";
import { messageAt, messageQuotedBy, messagesOf } from "../messages/record/message-sql.ts";
import { waitsInOutbox } from "../messages/send/outbox-sql.ts";
import type { ThreadMessage } from "./thread-line.ts";

/** So many characters of a quoted text are shown. */
const QUOTED_CHARS = 200;

/** Of a message `m`, its author `a` and the quoted message `q`, as `ThreadMessage`. */
const columns = (workspaceId: string): Sql => sql`
  m.id, m.conversation_id as "conversationId", m.created_at as "createdAt", m.direction, m.type, m.text, m.attachments,
  m.status, m.error_code as "errorCode", m.error_message as "errorMessage", m.source, m.author,
  m.broadcast_id as "broadcastId", m.by_model as "byModel", m.sent_at as "sentAt", m.delivered_at as "deliveredAt", m.read_at as "readAt",
  case when m.broadcast_id is not null then ${broadcastName(workspaceId, sql`m.broadcast_id`)} end as "broadcastName",
  case when m.author like 'bot:%' then ${botName(workspaceId, sql`substr(m.author, 5)::uuid`)} end as "botName",
  case when m.author like 'bot:%' then ${isAiBot(workspaceId, sql`substr(m.author, 5)::uuid`)} end as "byAiBot",
  case when m.author like 'bot:%' then ${turnOfMessage(workspaceId, sql`m.id`)} end as "turnId",
  m.direction = 'outbound' and m.status = 'sent' and ${waitsInOutbox(workspaceId, sql`m.id`)} as waits,
  a.member_id as "memberId", a.client_id as "clientId", a.resend_of as "resendOf",
  case when q.id is not null then json_build_object('id', q.id, 'direction', q.direction, 'source', q.source, 'author', q.author,
    'text', left(q.text, ${QUOTED_CHARS}::int), 'types', jsonb_path_query_array(q.attachments, '$[*].type')) end as quoted`;

/** The author `a` of a message `m`, and the message `q` that it quotes. */
const around = (workspaceId: string): Sql => sql`
  left join lateral (select * from message_author where workspace_id = ${workspaceId} and message_id = m.id limit 1) a
    on true
  left join lateral (select o.id, o.direction, o.source, o.text, o.attachments,
      coalesce('member:' || (select member_id from message_author
        where workspace_id = ${workspaceId} and message_id = o.id limit 1), o.author) as author
    from ${messageQuotedBy(workspaceId)} o) q on true`;

/** The messages of a conversation between two ids, newest first. */
export function selectThreadMessages(
  db: Queryable,
  workspaceId: string,
  conversationId: string,
  range: { readonly above: string; readonly below: string },
  limit: number,
): Promise<ThreadMessage[]> {
  return db.query<ThreadMessage>(sql`
    select ${columns(workspaceId)} from (select * from ${messagesOf(workspaceId, conversationId)} t
      where t.id > ${range.above} and t.id < ${range.below} order by t.id desc limit ${limit}) m
    ${around(workspaceId)}
    order by m.id desc`);
}

/** Those of these messages that exist; of one conversation only, when it is given. */
export function selectThreadMessagesById(
  db: Queryable,
  workspaceId: string,
  ids: readonly string[],
  conversationId: string | null = null,
): Promise<ThreadMessage[]> {
  return db.query<ThreadMessage>(sql`
    select ${columns(workspaceId)} from unnest(${ids}::uuid[]) as k (id)
    cross join lateral ${messageAt(sql`${workspaceId}`, sql`k.id`)} m
    ${around(workspaceId)}
    ${ifGiven(conversationId, (given) => sql`where m.conversation_id = ${given}`)}`);
}

export interface NewMessageAuthor {
  readonly messageId: string;
  readonly memberId: string;
  /** The id that the writer's browser gave the message. */
  readonly clientId: string;
  readonly resendOf: string | null;
  /** Of the request that the id belongs to. */
  readonly requestHash: Buffer;
}

/** Stores the author of a message; false when the client id is taken. */
export async function insertMessageAuthor(
  tx: Tx,
  workspaceId: string,
  row: NewMessageAuthor,
): Promise<boolean> {
  const rows = await tx.query(sql`
    insert into message_author (workspace_id, message_id, member_id, client_id, resend_of, request_hash)
    values (${workspaceId}, ${row.messageId}, ${row.memberId}, ${row.clientId}, ${row.resendOf}, ${row.requestHash})
    on conflict do nothing returning 1`);
  return rows.length > 0;
}

interface MessageOfClient {
  readonly messageId: string;
  readonly memberId: string;
  /** Null: stored by a version that kept none. */
  readonly requestHash: Buffer | null;
}

/** The message with a browser's id, or null. */
export async function selectMessageOfClient(
  db: Queryable,
  workspaceId: string,
  clientId: string,
): Promise<MessageOfClient | null> {
  const [row] = await db.query<MessageOfClient>(sql`
    select message_id as "messageId", member_id as "memberId", request_hash as "requestHash"
    from message_author
    where workspace_id = ${workspaceId} and client_id = ${clientId}`);
  return row ?? null;
}

/** The names of the bots among these actors, by actor. Without a bot it asks nothing. */
export async function selectBotAuthors(
  db: Queryable,
  workspaceId: string,
  actors: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(actors)].flatMap((one) => (one.startsWith("bot:") ? [one.slice(4)] : []));
  if (ids.length === 0) return new Map();
  const rows = await db.query<{ id: string; name: string | null }>(sql`
    select k.id::text as id, ${botName(workspaceId, sql`k.id`)} as name from unnest(${ids}::uuid[]) as k (id)`);
  return new Map(rows.flatMap(({ id, name }) => (name === null ? [] : [[`bot:${id}`, name]])));
}
