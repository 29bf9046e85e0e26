import type { Context } from "../../context.ts";
import type { Queryable, Tx } from "../../db/database.ts";
import { nextNumbers, threadOf } from "../../conversations/conversation-sql.ts";
import { sql } from "../../db/sql.ts";
import { TOPICS_CHANNEL, visitorTopic } from "../../lib/topics.ts";
import { holderOf } from "../../contacts/identity/identity-sql.ts";

/** How many messages of a thread are read, newest first. Earlier calls covered the older ones. */
const DEPTH = 500;

/**
 * Moves all messages of a conversation, and its waiting replies, into another conversation. Gives the ids of messages
 * that a visitor of web chat may see, in their order.
 */
export async function moveMessages(
  tx: Tx,
  workspaceId: string,
  fromId: string,
  intoId: string,
): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(sql`
    with moved as (
      update message set conversation_id = ${intoId}, chat_changed = null
      where workspace_id = ${workspaceId} and conversation_id = ${fromId}
      returning id, chat_created
    ), waiting as (
      update message_outbox set conversation_id = ${intoId}
      where workspace_id = ${workspaceId} and conversation_id = ${fromId} and state in ('waiting', 'unknown')
    )
    select id from moved where chat_created is not null order by id`);
  // They become new again, so that a stream that has not read the joining gets them as new messages.
  await tx.query(sql`
    update message set chat_created = null
    where workspace_id = ${workspaceId} and id = any(${rows.map((row) => row.id)}::uuid[])`);
  return rows.map((row) => row.id);
}

/**
 * Marks the customer's messages up to `upTo` as read by us. Gives the ids of those that were unread, in their order.
 */
export async function markInboundRead(
  tx: Tx,
  workspaceId: string,
  conversationId: string,
  upTo: string,
  at: Date,
): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(sql`
    with recent as (
      select id, direction, read_at from message
      where workspace_id = ${workspaceId} and conversation_id = ${conversationId} and id <= ${upTo}
      order by id desc limit ${DEPTH}
    ), marked as (
      update message m set read_at = ${at}::timestamptz from recent r
      where m.workspace_id = ${workspaceId} and m.id = r.id and r.direction = 'inbound' and r.read_at is null
      returning m.id
    )
    select id from marked order by id`);
  return rows.map((row) => row.id);
}

export interface SeenUpTo {
  readonly workspaceId: string;
  readonly channelId: string;
  /** The visitor's id. */
  readonly externalId: string;
  readonly upTo: string;
  readonly status: "delivered" | "read";
}

/**
 * Our messages up to `upTo` whose status is behind the mark. `upTo` must name a message of ours in the same
 * conversation. `index` is the mark's place in `marks`.
 */
export function selectSeen(
  db: Queryable,
  marks: readonly SeenUpTo[],
): Promise<{ index: number; id: string }[]> {
  return db.query(sql`
    select (k.n - 1)::integer as index, m.id
    from unnest(${marks.map((one) => one.workspaceId)}::uuid[], ${marks.map((one) => one.channelId)}::uuid[],
      ${marks.map((one) => one.externalId)}::text[], ${marks.map((one) => one.upTo)}::uuid[],
      ${marks.map((one) => one.status)}::text[]) with ordinality
      as k (workspace_id, channel_id, external_id, up_to, status, n)
    cross join lateral ${holderOf(sql`k.workspace_id`, sql`k.channel_id`, sql`k.external_id`)} i
    cross join lateral ${threadOf(sql`k.workspace_id`, sql`k.channel_id`, sql`i.contact_id`)} c
    cross join lateral (select conversation_id, direction, chat_created from message
      where workspace_id = k.workspace_id and id = k.up_to limit 1) last
    cross join lateral (select id, direction, status from message
      where workspace_id = c.workspace_id and conversation_id = c.id and id <= k.up_to
      order by id desc limit ${DEPTH}) m
    where last.conversation_id = c.id and last.direction = 'outbound' and last.chat_created is not null
      and m.direction = 'outbound' and (m.status = 'sent' or (m.status = 'delivered' and k.status = 'read'))
    order by k.n, m.id`);
}

/** The platform's ids of the newest messages of these conversations. */
export async function newestProviderIds(
  tx: Tx,
  threads: readonly { readonly workspaceId: string; readonly conversationId: string }[],
): Promise<{ readonly conversationId: string; readonly providerMessageId: string }[]> {
  if (threads.length === 0) return [];
  return tx.query(sql`
    select k.conversation_id as "conversationId", m.provider_message_id as "providerMessageId"
    from (select distinct * from unnest(${threads.map((one) => one.workspaceId)}::uuid[],
      ${threads.map((one) => one.conversationId)}::uuid[]) as u (workspace_id, conversation_id)) k
    cross join lateral (select provider_message_id from message where workspace_id = k.workspace_id
      and conversation_id = k.conversation_id order by id desc limit ${DEPTH}) m
    where m.provider_message_id is not null`);
}

/** The conversations on the channel whose contacts have one of these ids there. */
export function customersThreads(
  tx: Tx,
  { workspaceId, channelId }: { readonly workspaceId: string; readonly channelId: string },
  externalIds: readonly string[],
): Promise<{ readonly workspaceId: string; readonly conversationId: string }[]> {
  return tx.query(sql`
    select v.workspace_id as "workspaceId", v.id as "conversationId"
    from (select distinct h.contact_id from unnest(${externalIds}::text[]) as u (id)
      cross join lateral ${holderOf(workspaceId, channelId, sql`u.id`)} h) i
    cross join lateral ${threadOf(workspaceId, channelId, sql`i.contact_id`)} v`);
}

/** A message of a web conversation that is new, or whose status is new. */
export interface ThreadChange {
  readonly workspaceId: string;
  readonly conversationId: string | null;
  readonly channelType: string | null;
  readonly id: string;
}

/**
 * Shows new and changed messages to visitors of web chat. A message that never passes here is never shown to a visitor.
 * Each gets the next number of its conversation under the conversation's lock, taken in the order of ids. So a reader
 * who has one number has seen all before it. Streams in every process hear of it with the commit. Changes of other
 * channels are skipped and cost nothing. Statements that store the messages must have been sent before. A call names
 * each message once.
 */
export async function publishThreadChanges(
  { topics }: Pick<Context, "topics">,
  tx: Tx,
  changes: readonly ThreadChange[],
): Promise<void> {
  const entries = changes.flatMap(({ workspaceId, conversationId, channelType, id }) =>
    channelType === "WEB" && conversationId !== null
      ? [{ workspaceId, conversationId, messageId: id }]
      : [],
  );
  if (entries.length === 0) return;
  const moved = await tx.query<{ channelId: string; externalId: string; last: number }>(sql`
    with ${nextNumbers(entries)}, written as (
      update message m set chat_created = coalesce(m.chat_created, n.sequence), chat_changed = n.sequence
      from numbered n where m.workspace_id = n.workspace_id and m.id = n.message_id
      returning 1
    )
    select m.channel_id as "channelId", m.external_id as "externalId", m.last,
      pg_notify(${TOPICS_CHANNEL}, json_build_object('from', ${topics.processId}::text,
        'topic', m.channel_id || '/' || m.external_id,
        'note', json_build_object('kind', 'thread', 'sequence', m.last))::text) as told
    from moved m`);
  for (const { channelId, externalId, last } of moved)
    tx.afterCommit(() =>
      topics.dispatch(visitorTopic(channelId, externalId), { kind: "thread", sequence: last }),
    );
}
