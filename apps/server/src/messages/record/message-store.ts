import type { Queryable, Tx } from "../../db/database.ts";
import { nilId, sql, type Sql } from "../../db/sql.ts";
import { MAX_ID, NIL_ID } from "../../lib/ids.ts";
import type { Message, MessageProgress } from "./message.ts";
import { channelAt } from "../../channels/channel-sql.ts";
import { conversationAt } from "../../conversations/conversation-sql.ts";
import { digestOf, messageAt, searchDue } from "./message-sql.ts";
import { workspaceIds } from "../../workspaces/workspace-sql.ts";

export interface MessageKey {
  readonly workspaceId: string;
  readonly id: string;
}

/**
 * Joins the conversation `v` of a message `m`. The contact of a message is the contact of its conversation. So merging
 * two people moves their threads and no message; moving 20,000 messages in one transaction delayed that person's next
 * message for seconds. `contact_id` is the recipient of an SMS, which has no thread.
 */
const THREAD: Sql = sql`left join lateral ${conversationAt(sql`m.workspace_id`, sql`m.conversation_id`)} v on true`;
const CHANNEL: Sql = sql`left join lateral ${channelAt(sql`m.workspace_id`, sql`m.channel_id`)} ch on true`;
const CONTACT: Sql = sql`coalesce(v.contact_id, m.contact_id)`;

/** The columns of `MessageProgress`, of a message `m`, its conversation `v` and its channel `ch`. */
const PROGRESS: Sql = sql`
  m.workspace_id as "workspaceId", m.id, m.conversation_id as "conversationId", ${CONTACT} as "contactId",
  m.channel_id as "channelId", ch.type as "channelType", m.status, m.error_code as "errorCode",
  m.error_message as "errorMessage", m.provider_message_id as "providerMessageId", m.broadcast_id as "broadcastId",
  m.part_count as "partCount", m.created_at as "createdAt", m.sent_at as "sentAt", m.delivered_at as "deliveredAt",
  m.read_at as "readAt"`;

/** The columns of `Message`: those of `PROGRESS` and the content. */
const COLUMNS: Sql = sql`${PROGRESS}, m.direction, m.type, m.text, m.attachments, m.template, m.source, m.author`;

/** How messages enter the outbox. */
export interface IntoOutbox {
  readonly at: Date;
  /** They are sent when no other message is due. */
  readonly afterReplies: boolean;
}

/**
 * Stores messages. With `outbox`, outbound messages that are `sent` also enter the outbox, in the same statement. A
 * message whose provider id its channel already has is left out. Gives the ids that were stored.
 */
export async function insertRows(
  tx: Tx,
  rows: readonly Message[],
  outbox: IntoOutbox | null,
): Promise<Set<string>> {
  const stored = await tx.query<{ id: string }>(sql`
    with stored as (
      insert into message (workspace_id, id, conversation_id, contact_id, channel_id, direction, type, text,
        attachments, template, status, error_code, error_message, source, author, provider_message_id,
        broadcast_id, created_at, sent_at, answers, by_model)
      select * from unnest(
        ${rows.map((row) => row.workspaceId)}::uuid[], ${rows.map((row) => row.id)}::uuid[],
        ${rows.map((row) => row.conversationId)}::uuid[], ${rows.map((row) => row.contactId)}::uuid[],
        ${rows.map((row) => row.channelId)}::uuid[], ${rows.map((row) => row.direction)}::text[],
        ${rows.map((row) => row.type)}::text[], ${rows.map((row) => row.text)}::text[],
        ${rows.map((row) => JSON.stringify(row.attachments))}::jsonb[],
        ${rows.map((row) => (row.template ? JSON.stringify(row.template) : null))}::jsonb[],
        ${rows.map((row) => row.status)}::text[], ${rows.map((row) => row.errorCode)}::text[],
        ${rows.map((row) => row.errorMessage)}::text[], ${rows.map((row) => row.source)}::text[],
        ${rows.map((row) => row.author)}::text[],
        ${rows.map((row) => row.providerMessageId)}::text[], ${rows.map((row) => row.broadcastId)}::uuid[],
        ${rows.map((row) => row.createdAt)}::timestamptz[], ${rows.map((row) => row.sentAt)}::timestamptz[],
        ${rows.map((row) => row.answers ?? true)}::boolean[],
        ${rows.map((row) => row.byModel ?? null)}::boolean[])
      on conflict do nothing
      returning workspace_id, id, conversation_id, channel_id, status, text
    ), ${searchDue(sql`stored`)}, waiting as (
      insert into message_outbox (workspace_id, message_id, conversation_id, channel_id, available_at, after_replies)
      select workspace_id, id, conversation_id, channel_id, ${outbox?.at ?? null}::timestamptz,
        ${outbox?.afterReplies ?? false}::boolean from stored
      where status = 'sent' and ${outbox?.at ?? null}::timestamptz is not null
    )
    select id from stored`);
  return new Set(stored.map((row) => row.id));
}

export interface ProviderKey {
  readonly workspaceId: string;
  /** Null: SMS. */
  readonly channelId: string | null;
  readonly providerMessageId: string;
}

/** Names a message by the platform's id, for look-ups. Without a channel it is an SMS. */
export const providerKeyOf = (key: ProviderKey): string =>
  `${key.workspaceId}/${key.channelId ?? NIL_ID}/${key.providerMessageId}`;

export interface Known {
  readonly id: string;
  readonly contactId: string | null;
  readonly direction: string;
}

/** The messages that have these provider ids, by `providerKeyOf`. Takes no lock. */
export async function selectByProviderId(
  db: Queryable,
  keys: readonly ProviderKey[],
): Promise<Map<string, Known>> {
  if (keys.length === 0) return new Map();
  const rows = await db.query<Known & ProviderKey>(sql`
    select m.workspace_id as "workspaceId", m.channel_id as "channelId",
      m.provider_message_id as "providerMessageId", m.id, ${CONTACT} as "contactId", m.direction
    from unnest(${keys.map((key) => key.workspaceId)}::uuid[], ${keys.map((key) => key.channelId ?? NIL_ID)}::uuid[],
      ${keys.map((key) => key.providerMessageId)}::text[]) as k (workspace_id, channel_id, provider_message_id)
    cross join lateral (select * from message where workspace_id = k.workspace_id
      and coalesce(channel_id, ${nilId}) = k.channel_id
      and provider_message_id = k.provider_message_id and provider_message_id is not null limit 1) m
    ${THREAD}`);
  return new Map(rows.map((row) => [providerKeyOf(row), row]));
}

/**
 * Those of these keys, by `providerKeyOf`, whose message was stored before. A message that its workspace keeps no longer
 * counts as well (`forgotten_message`, an index alone). Takes no lock.
 */
export async function selectArrived(
  db: Queryable,
  keys: readonly ProviderKey[],
): Promise<Set<string>> {
  if (keys.length === 0) return new Set();
  const rows = await db.query<ProviderKey>(sql`
    select k.workspace_id as "workspaceId", k.channel_id as "channelId", k.provider_message_id as "providerMessageId"
    from unnest(${keys.map((key) => key.workspaceId)}::uuid[], ${keys.map((key) => key.channelId ?? NIL_ID)}::uuid[],
      ${keys.map((key) => key.providerMessageId)}::text[]) as k (workspace_id, channel_id, provider_message_id)
    cross join lateral (
      select 1 from message where workspace_id = k.workspace_id and coalesce(channel_id, ${nilId}) = k.channel_id
        and provider_message_id = k.provider_message_id and provider_message_id is not null
      union all
      select 1 from forgotten_message where workspace_id = k.workspace_id and channel_id = k.channel_id
        and digest = ${digestOf(sql`k.provider_message_id`)}
      limit 1) s`);
  return new Set(rows.map(providerKeyOf));
}

/**
 * Remembers messages from a gateway that are stored nowhere else, by digests of their ids, and gives the digests that are
 * new. While another transaction remembers the same digest, it waits for that one. Digests are 32 hexadecimal letters.
 */
export async function insertForgotten(
  tx: Tx,
  workspaceId: string,
  digests: readonly string[],
  at: Date,
): Promise<string[]> {
  if (digests.length === 0) return [];
  const rows = await tx.query<{ digest: string }>(sql`
    insert into forgotten_message (workspace_id, channel_id, digest, stored_at)
    select ${workspaceId}::uuid, ${nilId}, decode(d, 'hex'), ${at}::timestamptz
    from unnest(${[...digests]}::text[]) d order by d
    on conflict do nothing returning encode(digest, 'hex') as digest`);
  return rows.map(({ digest }) => digest);
}

/** A message that another one may quote. */
export interface Quotable {
  readonly id: string;
  readonly conversationId: string | null;
  readonly type: string;
  /** Null: the platform has not taken it. Of a message in parts: the id of its first part. */
  readonly providerMessageId: string | null;
}

/** Those of these messages that belong to these conversations, as another message quotes them. */
export function selectQuotable(
  db: Queryable,
  keys: readonly (MessageKey & { readonly conversationId: string })[],
): Promise<Quotable[]> {
  return db.query<Quotable>(sql`
    select m.id, m.conversation_id as "conversationId", m.type,
      coalesce(m.provider_message_id, (select p.provider_message_id from message_part p
        where p.workspace_id = m.workspace_id and p.message_id = m.id and p.provider_message_id is not null
        order by p.number limit 1)) as "providerMessageId"
    from unnest(${keys.map((key) => key.workspaceId)}::uuid[], ${keys.map((key) => key.conversationId)}::uuid[],
      ${keys.map((key) => key.id)}::uuid[]) as k (workspace_id, conversation_id, id)
    cross join lateral ${messageAt(sql`k.workspace_id`, sql`k.id`)} m
    where m.conversation_id = k.conversation_id`);
}

/** The messages of these conversations that have these ids of the platform, as a whole or in one of their parts. */
export function selectQuoted(
  db: Queryable,
  keys: readonly (ProviderKey & { readonly conversationId: string })[],
): Promise<{ id: string; conversationId: string; providerMessageId: string }[]> {
  return db.query(sql`
    select distinct m.id, k.conversation_id as "conversationId", k.provider_message_id as "providerMessageId"
    from unnest(${keys.map((key) => key.workspaceId)}::uuid[], ${keys.map((key) => key.channelId ?? NIL_ID)}::uuid[],
      ${keys.map((key) => key.providerMessageId)}::text[], ${keys.map((key) => key.conversationId)}::uuid[])
      as k (workspace_id, channel_id, provider_message_id, conversation_id)
    cross join lateral (
      select id from message where workspace_id = k.workspace_id and coalesce(channel_id, ${nilId}) = k.channel_id
        and provider_message_id = k.provider_message_id and provider_message_id is not null
      union all
      select message_id from message_part where workspace_id = k.workspace_id and channel_id = k.channel_id
        and provider_message_id = k.provider_message_id and provider_message_id is not null) i
    cross join lateral ${messageAt(sql`k.workspace_id`, sql`i.id`)} m
    where m.conversation_id = k.conversation_id`);
}

/** Locks and gives those of these outbound messages that exist, in the order of ids. */
export function lockOutbound(tx: Tx, keys: readonly MessageKey[]): Promise<Message[]> {
  return tx.query<Message>(lock(keys, COLUMNS));
}

/** Does the same without their content. A settlement does not need it, and reading it took half of its time in Node. */
export function lockProgress(tx: Tx, keys: readonly MessageKey[]): Promise<MessageProgress[]> {
  return tx.query<MessageProgress>(lock(keys, sql`${PROGRESS}, m.recipient_id as "recipientId"`));
}

// By laterals: with plain joins the planner reads the messages of all workspaces for one batch (47 ms among 7,000).
const lock = (keys: readonly MessageKey[], columns: Sql): Sql => sql`
    select ${columns}
    from (select distinct * from unnest(${keys.map((key) => key.workspaceId)}::uuid[],
      ${keys.map((key) => key.id)}::uuid[]) as u (workspace_id, id) order by workspace_id, id) k
    cross join lateral (select * from message where workspace_id = k.workspace_id and id = k.id
      and direction = 'outbound' for no key update) m
    ${THREAD}
    ${CHANNEL}`;

/** The workspace of a message, or undefined. For the operator, who names it by its id alone. */
export async function workspaceOfMessage(db: Queryable, id: string): Promise<string | undefined> {
  const [row] = await db.query<{ id: string }>(sql`
    select w.id from ${workspaceIds} w
    cross join lateral (select 1 from message m where m.workspace_id = w.id and m.id = ${id} limit 1) m`);
  return row?.id;
}

/** One message of the workspace, or null. */
export async function selectMessageById(db: Queryable, key: MessageKey): Promise<Message | null> {
  const [row] = await db.query<Message>(sql`
    select ${COLUMNS} from message m ${THREAD}
    ${CHANNEL}
    where m.workspace_id = ${key.workspaceId} and m.id = ${key.id}`);
  return row ?? null;
}

/** The last message of each of these conversations that has one. */
export function selectLastMessages(
  db: Queryable,
  workspaceId: string,
  conversationIds: readonly string[],
): Promise<Message[]> {
  return db.query<Message>(sql`
    select ${COLUMNS} from unnest(${conversationIds}::uuid[]) as k (id)
    cross join lateral (select * from message where workspace_id = ${workspaceId} and conversation_id = k.id
      order by id desc limit 1) m
    ${THREAD}
    ${CHANNEL}`);
}

/** Messages of a conversation, newest first, older than `before`. */
export function selectThread(
  db: Queryable,
  workspaceId: string,
  conversationId: string,
  before: string | null,
  limit: number,
): Promise<Message[]> {
  return db.query<Message>(sql`
    select ${COLUMNS} from message m ${THREAD}
    ${CHANNEL}
    where m.workspace_id = ${workspaceId} and m.conversation_id = ${conversationId}
      and m.id < ${before ?? MAX_ID}::uuid
    order by m.id desc limit ${limit}`);
}

/** Messages of the workspace, newest first, older than `before`. By the primary key: a page costs the same at any depth. */
export function selectMessagePage(
  db: Queryable,
  workspaceId: string,
  before: string | null,
  limit: number,
): Promise<Message[]> {
  return db.query<Message>(sql`
    select ${COLUMNS} from (select * from message
      where workspace_id = ${workspaceId} and id < ${before ?? MAX_ID}::uuid order by id desc limit ${limit}) m
    ${THREAD}
    ${CHANNEL}
    order by m.id desc`);
}

/**
 * Counts our messages in each conversation that went out at or after `since`, or are still to go out. Failed messages
 * do not count. Messages made before `oldestId` are not read, and no count is above `most`.
 */
export function countOutbound(
  tx: Tx,
  wants: readonly (MessageKey & {
    readonly since: Date;
    readonly oldestId: string;
    readonly most: number;
  })[],
): Promise<{ id: string; count: number }[]> {
  return tx.query<{ id: string; count: number }>(sql`
    select k.id, n.count
    from unnest(${wants.map((want) => want.workspaceId)}::uuid[], ${wants.map((want) => want.id)}::uuid[],
      ${wants.map((want) => want.since)}::timestamptz[], ${wants.map((want) => want.oldestId)}::uuid[],
      ${wants.map((want) => want.most)}::integer[]) as k (workspace_id, id, since, oldest_id, most)
    cross join lateral (select count(*) as count from (select 1 from message m
      where m.workspace_id = k.workspace_id and m.conversation_id = k.id and m.id >= k.oldest_id
        and m.direction = 'outbound' and m.status <> 'failed' and (m.sent_at is null or m.sent_at >= k.since)
      order by m.id desc limit k.most) o) n`);
}

/**
 * Writes what a settlement changed. The rows must be locked. Each row is found by its key and then written by its place
 * (`ctid`): as one join, the planner reads every message of all workspaces (5 ms a batch among 1,500, and more with
 * each).
 */
export async function updateProgress(tx: Tx, rows: readonly MessageProgress[]): Promise<void> {
  await tx.query(sql`
    update message m set status = n.status, error_code = n.error_code, error_message = n.error_message,
      provider_message_id = n.provider_message_id, sent_at = n.sent_at, delivered_at = n.delivered_at,
      read_at = n.read_at
    from (select k.*, f.place from unnest(
      ${rows.map((row) => row.workspaceId)}::uuid[], ${rows.map((row) => row.id)}::uuid[],
      ${rows.map((row) => row.status)}::text[], ${rows.map((row) => row.errorCode)}::text[],
      ${rows.map((row) => row.errorMessage)}::text[], ${rows.map((row) => row.providerMessageId)}::text[],
      ${rows.map((row) => row.sentAt)}::timestamptz[], ${rows.map((row) => row.deliveredAt)}::timestamptz[],
      ${rows.map((row) => row.readAt)}::timestamptz[]
    ) as k (workspace_id, id, status, error_code, error_message, provider_message_id, sent_at, delivered_at, read_at)
    cross join lateral (select ctid as place from message
      where workspace_id = k.workspace_id and id = k.id limit 1) f) n
    where m.ctid = n.place`);
}

/**
 * Applies an edit or a withdrawal to the stored message, and marks when it happened. Only the mark of the last edit
 * stays, because a live location is edited a thousand times. The text of a withdrawn message is deleted. Gives the
 * message's id, or null when nothing changed.
 */
export async function rewriteText(
  tx: Tx,
  key: ProviderKey,
  change: {
    readonly kind: "edited" | "deleted";
    readonly text: string | null;
    readonly place?: Readonly<Record<string, unknown>>;
    readonly at: Date;
  },
): Promise<string | null> {
  const note = JSON.stringify([{ type: change.kind, at: change.at.toISOString() }]);
  const deleted = change.kind === "deleted";
  const place = change.place === undefined ? null : JSON.stringify(change.place);
  const [row] = await tx.query<{ id: string }>(sql`
    with changed as (
    update message set text = case when ${deleted}::boolean then null else coalesce(${change.text}, text) end,
      type = case when ${deleted}::boolean then 'deleted' else type end,
      attachments = case when ${deleted}::boolean then '[]' else (
          select coalesce(jsonb_agg(case when one ->> 'type' = 'location' then coalesce(${place}::jsonb, one)
            else one end order by n), '[]')
          from jsonb_array_elements(attachments) with ordinality as a (one, n)
          where one ->> 'type' is distinct from 'edited') end || ${note}::jsonb
    where workspace_id = ${key.workspaceId}
      and coalesce(channel_id, ${nilId}) = ${key.channelId ?? NIL_ID}
      and provider_message_id = ${key.providerMessageId} and provider_message_id is not null and type <> 'deleted'
      and not (attachments @> ${note}::jsonb and text is not distinct from coalesce(${change.text}, text))
      -- an edit that a later one overtook says nothing any more
      and (${deleted}::boolean or not exists (select 1 from jsonb_array_elements(attachments) as a
        where a ->> 'type' = 'edited' and a ->> 'at' > ${change.at.toISOString()}))
    returning workspace_id, id, coalesce(text, '') as text
    ), ${searchDue(sql`changed`)}
    select id from changed`);
  return row?.id ?? null;
}

/** The recipients of outbound messages, by `workspace/id`. Takes no lock. */
export async function selectContacts(
  db: Queryable,
  keys: readonly MessageKey[],
): Promise<Map<string, string>> {
  if (keys.length === 0) return new Map();
  const rows = await db.query<MessageKey & { contactId: string }>(sql`
    select m.workspace_id as "workspaceId", m.id, ${CONTACT} as "contactId"
    from unnest(${keys.map((key) => key.workspaceId)}::uuid[], ${keys.map((key) => key.id)}::uuid[])
      as k (workspace_id, id)
    cross join lateral (select * from message where workspace_id = k.workspace_id and id = k.id limit 1) m
    ${THREAD}
    where m.direction = 'outbound' and m.contact_id is not null`);
  return new Map(rows.map((row) => [`${row.workspaceId}/${row.id}`, row.contactId]));
}

/**
 * Those of these outbound messages on channels that have no id of the platform yet, by `workspace/id`. Takes no lock.
 */
export async function selectUnanswered(
  db: Queryable,
  keys: readonly MessageKey[],
): Promise<Map<string, { channelId: string; contactId: string; to: string }>> {
  const rows = await db.query<
    MessageKey & { channelId: string; contactId: string; to: string }
  >(sql`
    select m.workspace_id as "workspaceId", m.id, m.channel_id as "channelId", v.contact_id as "contactId",
      v.external_id as "to"
    from unnest(${keys.map((key) => key.workspaceId)}::uuid[], ${keys.map((key) => key.id)}::uuid[])
      as k (workspace_id, id)
    cross join lateral (select * from message where workspace_id = k.workspace_id and id = k.id limit 1) m
    cross join lateral ${conversationAt(sql`m.workspace_id`, sql`m.conversation_id`)} v
    where m.direction = 'outbound' and m.channel_id is not null and m.provider_message_id is null`);
  return new Map(rows.map((row) => [`${row.workspaceId}/${row.id}`, row]));
}

/** Gives every reply in the outbox an unknown outcome, so that none is sent by itself. Gives how many. */
export async function haltReplies(tx: Tx, now: Date): Promise<number> {
  const rows = await tx.query(sql`update message_outbox
    set state = 'unknown', unknown_until = ${now}::timestamptz, lease_until = null returning 1`);
  return rows.length;
}

/** The texts of those of these messages that are SMS, by workspace, in the order of workspace ids. */
export function selectTextsOfSms(
  tx: Tx,
  keys: readonly MessageKey[],
): Promise<{ workspaceId: string; texts: string[] }[]> {
  return tx.query(sql`
    select m.workspace_id as "workspaceId", array_agg(m.text) as texts
    from unnest(${keys.map((one) => one.workspaceId)}::uuid[], ${keys.map((one) => one.id)}::uuid[])
      as f (workspace_id, id)
    cross join lateral (select workspace_id, text from message
      where workspace_id = f.workspace_id and id = f.id and channel_id is null and text is not null limit 1) m
    group by 1 order by 1`);
}
