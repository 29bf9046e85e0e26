import type { Queryable, Tx } from "../db/database.ts";
import { sql, type Sql } from "../db/sql.ts";
import type { ConversationStatus } from "../wire/words.ts";
import type { Conversation, ShownConversation } from "./conversation.ts";
import { hasBot } from "../bots/record/bot-sql.ts";
import { handlerOf } from "./conversation-sql.ts";
import { isMember, isAtWork } from "../workspaces/workspace-sql.ts";
import { channelAt } from "../channels/channel-sql.ts";
import { snoozeEnd } from "../desk/snooze-sql.ts";

/** Of a conversation `c`, as `Conversation`. */
export const CONVERSATION_COLUMNS: Sql = sql`
  c.workspace_id as "workspaceId", c.id, c.contact_id as "contactId", c.channel_id as "channelId",
  c.channel_type as "channelType", c.external_id as "externalId", c.status, c.assignee_id as "assigneeId", c.labels,
  c.unread_count as "unreadCount", c.window_expires_at as "windowExpiresAt", c.last_message_at as "lastMessageAt",
  c.created_at as "createdAt",
  case when c.status = 'snoozed' then ${snoozeEnd(sql`c.workspace_id`, sql`c.id`)} end as "snoozedUntil"`;

/** The same with who answers it, as `ShownConversation`. What programs send and customers write reads it only when it shows it. */
export const SHOWN_COLUMNS: Sql = sql`${CONVERSATION_COLUMNS},
  ${handlerOf(sql`c.workspace_id`, sql`c.id`)} as handler`;

export interface ThreadKey {
  readonly workspaceId: string;
  readonly channelId: string;
  readonly contactId: string;
}

/**
 * Locks and returns those that exist, in id order. The lock stands in a lateral subquery, because for a plain join
 * the planner reads the whole table (a batch of 100 among 10,000 conversations took 3.6 ms, now 1.1 ms).
 */
export function lockByThread(tx: Tx, keys: readonly ThreadKey[]): Promise<Conversation[]> {
  return tx.query<Conversation>(sql`
    select ${CONVERSATION_COLUMNS}
    from (
      select f.workspace_id, f.id
      from unnest(${keys.map((key) => key.workspaceId)}::uuid[], ${keys.map((key) => key.channelId)}::uuid[],
        ${keys.map((key) => key.contactId)}::uuid[]) as u (workspace_id, channel_id, contact_id)
      cross join lateral (select workspace_id, id from conversation
        where workspace_id = u.workspace_id and channel_id = u.channel_id and contact_id = u.contact_id limit 1) f
      order by f.workspace_id, f.id
    ) k cross join lateral (select * from conversation
      where workspace_id = k.workspace_id and id = k.id for no key update) c`);
}

export interface NewConversation extends ThreadKey {
  readonly id: string;
  readonly channelType: string;
  readonly externalId: string;
  readonly at: Date;
  readonly lastMessageAt?: Date;
}

/** Returns the rows that this call made. Another transaction may have made the others first. */
export function insertMissing(tx: Tx, rows: readonly NewConversation[]): Promise<Conversation[]> {
  return tx.query<Conversation>(sql`
    insert into conversation as c
      (workspace_id, id, contact_id, channel_id, channel_type, external_id, created_at, last_message_at)
    select * from unnest(
      ${rows.map((row) => row.workspaceId)}::uuid[], ${rows.map((row) => row.id)}::uuid[],
      ${rows.map((row) => row.contactId)}::uuid[], ${rows.map((row) => row.channelId)}::uuid[],
      ${rows.map((row) => row.channelType)}::text[], ${rows.map((row) => row.externalId)}::text[],
      ${rows.map((row) => row.at)}::timestamptz[], ${rows.map((row) => row.lastMessageAt ?? null)}::timestamptz[])
      as n (workspace_id, id, contact_id)
    order by workspace_id, contact_id
    on conflict (workspace_id, channel_id, contact_id) do nothing
    returning ${CONVERSATION_COLUMNS}`);
}

/** Without a lock; those of the ids that exist. */
export function selectConversationById(
  db: Queryable,
  keys: readonly { readonly workspaceId: string; readonly id: string }[],
): Promise<(ShownConversation & { channelStatus: string })[]> {
  return db.query<ShownConversation & { channelStatus: string }>(sql`
    select ${SHOWN_COLUMNS}, coalesce(ch.status, 'disconnected') as "channelStatus"
    from (select distinct * from unnest(${keys.map((key) => key.workspaceId)}::uuid[],
      ${keys.map((key) => key.id)}::uuid[]) as u (workspace_id, id)) k
    cross join lateral (select * from conversation where workspace_id = k.workspace_id and id = k.id limit 1) c
    left join lateral ${channelAt(sql`c.workspace_id`, sql`c.channel_id`)} ch on true`);
}

/** Locks in id order; those of the ids that exist. */
export function lockById(
  tx: Tx,
  keys: readonly { readonly workspaceId: string; readonly id: string }[],
): Promise<(Conversation & { channelStatus: string })[]> {
  return tx.query<Conversation & { channelStatus: string }>(sql`
    select ${CONVERSATION_COLUMNS}, coalesce(ch.status, 'disconnected') as "channelStatus"
    from (select distinct * from unnest(${keys.map((key) => key.workspaceId)}::uuid[],
      ${keys.map((key) => key.id)}::uuid[]) as u (workspace_id, id) order by workspace_id, id) k
    cross join lateral (select * from conversation
      where workspace_id = k.workspace_id and id = k.id for no key update) c
    left join lateral ${channelAt(sql`c.workspace_id`, sql`c.channel_id`)} ch on true`);
}

/** Locks one, with who answers it. */
export async function lockShown(
  tx: Tx,
  workspaceId: string,
  id: string,
): Promise<ShownConversation | null> {
  const [row] = await tx.query<ShownConversation>(sql`
    select ${SHOWN_COLUMNS} from (select * from conversation
      where workspace_id = ${workspaceId} and id = ${id} for no key update) c`);
  return row ?? null;
}

export interface InboundMark {
  readonly workspaceId: string;
  readonly id: string;
  /** How many unread messages come in. 0: nothing new, so a resolved or snoozed conversation stays as it is. */
  readonly count: number;
  /** The customer's latest address. The next reply goes there. */
  readonly externalId: string;
  readonly lastAt: Date;
  readonly windowEnd: Date | null;
}

/** A conversation as it is after a customer wrote; with `wanted` all of it. `asked`: a bot may answer. */
export type MarkedConversation = ShownConversation & { readonly asked: boolean };

/**
 * The rows must be locked: they are written at their place, as in `markOutbound`. The window and the last time
 * never go backwards. Returns the rows on request.
 */
export function markInbound(
  tx: Tx,
  marks: readonly InboundMark[],
  wanted: boolean,
  now: Date,
): Promise<MarkedConversation[]> {
  return tx.query<MarkedConversation>(sql`
    with asked as (
      insert into bot_due (workspace_id, conversation_id, since, due_at)
      select a.workspace_id, a.id, ${now}::timestamptz, ${now}::timestamptz
      from unnest(${marks.map((mark) => mark.workspaceId)}::uuid[], ${marks.map((mark) => mark.id)}::uuid[],
        ${marks.map((mark) => mark.count)}::integer[]) as a (workspace_id, id, count)
      where a.count > 0 and ${hasBot(sql`a.workspace_id`)}
        and not exists (select 1 from bot_thread t
          where t.workspace_id = a.workspace_id and t.conversation_id = a.id and t.handler = 'person')
      order by a.workspace_id, a.id
      on conflict (workspace_id, conversation_id) do nothing returning 1
    )
    update conversation c set
      unread_count = c.unread_count + k.count,
      status = case when c.status <> 'open' and k.count > 0 then 'open' else c.status end,
      -- who is away or disabled does not get it back
      assignee_id = case when c.status <> 'open' and k.count > 0 and c.assignee_id is not null
          and not ${isAtWork(sql`c.workspace_id`, sql`c.assignee_id`)}
        then null else c.assignee_id end,
      -- a late message, older than the last, does not send replies back to where the customer is no more
      external_id = case when k.window_end < c.window_expires_at then c.external_id else k.external_id end,
      window_expires_at = greatest(c.window_expires_at, k.window_end),
      last_message_at = greatest(c.last_message_at, k.last_at)
    from (select u.*, f.place from unnest(
      ${marks.map((mark) => mark.workspaceId)}::uuid[], ${marks.map((mark) => mark.id)}::uuid[],
      ${marks.map((mark) => mark.count)}::integer[], ${marks.map((mark) => mark.externalId)}::text[],
      ${marks.map((mark) => mark.lastAt)}::timestamptz[], ${marks.map((mark) => mark.windowEnd)}::timestamptz[]
    ) as u (workspace_id, id, count, external_id, last_at, window_end)
    cross join lateral (select ctid as place from conversation
      where workspace_id = u.workspace_id and id = u.id limit 1) f) k
    where c.ctid = k.place
    returning ${wanted ? sql`${SHOWN_COLUMNS},` : sql``} exists (select 1 from asked) as asked`);
}

/**
 * The rows must be locked: they are found by key first and written at their place. For a join of the two the
 * planner reads every conversation of all workspaces (22 ms for a batch among 25,000, now 2).
 */
export async function markOutbound(
  tx: Tx,
  keys: readonly { readonly workspaceId: string; readonly id: string }[],
  at: Date,
): Promise<void> {
  await tx.query(sql`
    update conversation c set last_message_at = greatest(c.last_message_at, ${at}::timestamptz)
    from (select f.place from (select distinct * from unnest(${keys.map((key) => key.workspaceId)}::uuid[],
        ${keys.map((key) => key.id)}::uuid[]) as u (workspace_id, id)) k
      cross join lateral (select ctid as place from conversation
        where workspace_id = k.workspace_id and id = k.id limit 1) f) f
    where c.ctid = f.place`);
}

/** The customer's id on the channel changed. */
export async function moveThread(tx: Tx, key: ThreadKey, toExternalId: string): Promise<void> {
  await tx.query(sql`
    update conversation set external_id = ${toExternalId}
    where workspace_id = ${key.workspaceId} and channel_id = ${key.channelId} and contact_id = ${key.contactId}`);
}

/** Moves threads of one contact to another, on channels where the other has none. */
export function moveThreads(
  tx: Tx,
  move: { readonly workspaceId: string; readonly fromId: string; readonly toId: string },
): Promise<ShownConversation[]> {
  return tx.query<ShownConversation>(sql`
    update conversation c set contact_id = ${move.toId}
    where c.workspace_id = ${move.workspaceId} and c.contact_id = ${move.fromId} and not exists (
      select 1 from conversation k where k.workspace_id = c.workspace_id and k.channel_id = c.channel_id
        and k.contact_id = ${move.toId})
    returning ${SHOWN_COLUMNS}`);
}

/** Writes what people changed. False when the assignee is not a member. The row must be locked. */
export async function writeDesk(tx: Tx, row: Conversation): Promise<boolean> {
  const rows = await tx.query(sql`
    update conversation set status = ${row.status}, assignee_id = ${row.assigneeId}::uuid,
      labels = ${row.labels}::text[], unread_count = ${row.unreadCount}
    where workspace_id = ${row.workspaceId} and id = ${row.id} and (${row.assigneeId}::uuid is null
      or ${isMember(row.workspaceId, row.assigneeId)})
    returning 1`);
  return rows.length > 0;
}

/** Takes up to `limit` conversations from their assignee and returns them. */
export function unassign(
  tx: Tx,
  workspaceId: string,
  memberId: string,
  statuses: readonly ConversationStatus[],
  limit: number,
): Promise<ShownConversation[]> {
  return tx.query<ShownConversation>(sql`
    update conversation c set assignee_id = null
    where c.workspace_id = ${workspaceId} and c.id = any(array(
      select id from conversation where workspace_id = ${workspaceId} and assignee_id = ${memberId}
        and status = any (${statuses}::text[])
      order by id limit ${limit} for no key update))
    returning ${SHOWN_COLUMNS}`);
}

/**
 * The workspace of a conversation, for the command line, which gives only the conversation; undefined: there is
 * none.
 */
export async function workspaceOfConversation(
  db: Queryable,
  id: string,
): Promise<string | undefined> {
  const [row] = await db.query<{ workspaceId: string }>(
    sql`select workspace_id as "workspaceId" from conversation where id = ${id}`,
  );
  return row?.workspaceId;
}

/** The conversation of a contact on a channel, or null. */
export async function selectIdByContact(
  db: Queryable,
  { workspaceId, channelId, contactId }: ThreadKey,
): Promise<string | null> {
  const rows = await db.query<{ id: string }>(sql`select id from conversation
    where workspace_id = ${workspaceId} and channel_id = ${channelId} and contact_id = ${contactId}`);
  return rows[0]?.id ?? null;
}

/** The conversation with the customer of this id on a channel, or null. */
export async function selectIdByCustomer(
  db: Queryable,
  workspaceId: string,
  channelId: string,
  externalId: string,
): Promise<string | null> {
  const rows = await db.query<{ id: string }>(sql`select id from conversation
    where workspace_id = ${workspaceId} and channel_id = ${channelId} and external_id = ${externalId}`);
  return rows[0]?.id ?? null;
}
