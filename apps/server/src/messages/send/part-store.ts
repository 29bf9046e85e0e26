import type { Queryable, Tx } from "../../db/database.ts";
import { sql } from "../../db/sql.ts";
import type { MessagePart } from "./message-part.ts";
import type { MessageKey, ProviderKey } from "../record/message-store.ts";
import type { SendContent } from "../accept/plan-sends.ts";

/** Gives a message its parts, all waiting. The message must be locked. */
export async function insertParts(
  tx: Tx,
  message: MessageKey & { readonly channelId: string },
  sends: readonly SendContent[],
): Promise<void> {
  await tx.query(sql`
    with parts as (
      insert into message_part (workspace_id, message_id, number, channel_id, text, media_id)
      select ${message.workspaceId}, ${message.id}, p.number, ${message.channelId}, p.text, p.media_id
      from unnest(${sends.map((one) => one.text)}::text[], ${sends.map((one) => one.mediaId)}::uuid[])
        with ordinality as p (text, media_id, number)
    )
    update message set part_count = ${sends.length}
    where workspace_id = ${message.workspaceId} and id = ${message.id}`);
}

/**
 * Writes the intent to send the next waiting part, and gives that part; null when none waits. The message must be
 * locked.
 */
export async function callNextPart(
  tx: Tx,
  { workspaceId, id }: MessageKey,
): Promise<(SendContent & { readonly number: number }) | null> {
  const [part] = await tx.query<SendContent & { number: number }>(sql`
    update message_part set status = 'sent'
    where workspace_id = ${workspaceId} and message_id = ${id} and number = (
      select min(number) from message_part
      where workspace_id = ${workspaceId} and message_id = ${id} and status = 'waiting')
    returning number, text, media_id as "mediaId"`);
  return part ?? null;
}

/** Parts that were proven not sent wait again, when their reply waits again too. */
export async function returnParts(
  tx: Tx,
  rows: readonly (MessageKey & { readonly fence: number; readonly part: number })[],
): Promise<void> {
  await tx.query(sql`
    update message_part p set status = 'waiting'
    from unnest(${rows.map((row) => row.workspaceId)}::uuid[], ${rows.map((row) => row.id)}::uuid[],
      ${rows.map((row) => row.fence)}::integer[], ${rows.map((row) => row.part)}::smallint[])
      as k (workspace_id, message_id, fence, number)
    join message_outbox o on o.workspace_id = k.workspace_id and o.message_id = k.message_id
      and o.fence = k.fence and o.state = 'waiting'
    where p.workspace_id = k.workspace_id and p.message_id = k.message_id and p.number = k.number
      and p.status = 'sent' and p.sent_at is null`);
}

/** The messages that have a part with one of these provider ids. */
export function selectPartHolders(
  db: Queryable,
  keys: readonly ProviderKey[],
): Promise<(MessageKey & ProviderKey)[]> {
  return db.query<MessageKey & ProviderKey>(sql`
    select p.workspace_id as "workspaceId", p.message_id as id, p.channel_id as "channelId",
      p.provider_message_id as "providerMessageId"
    from unnest(${keys.map((key) => key.workspaceId)}::uuid[], ${keys.map((key) => key.channelId)}::uuid[],
      ${keys.map((key) => key.providerMessageId)}::text[]) as k (workspace_id, channel_id, provider_message_id)
    cross join lateral (select * from message_part where workspace_id = k.workspace_id and channel_id = k.channel_id
      and provider_message_id = k.provider_message_id limit 1) p`);
}

/** All parts of these messages, in order. Whoever changes them has locked the messages; that lock covers their parts. */
export function selectParts(tx: Queryable, keys: readonly MessageKey[]): Promise<MessagePart[]> {
  return tx.query<MessagePart>(sql`
    select p.workspace_id as "workspaceId", p.message_id as "messageId", p.number, p.channel_id as "channelId",
      p.text, p.media_id as "mediaId", p.status, p.error_code as "errorCode", p.error_message as "errorMessage",
      p.provider_message_id as "providerMessageId", p.sent_at as "sentAt", p.delivered_at as "deliveredAt",
      p.read_at as "readAt"
    from unnest(${keys.map((key) => key.workspaceId)}::uuid[], ${keys.map((key) => key.id)}::uuid[])
      as k (workspace_id, message_id)
    join message_part p on p.workspace_id = k.workspace_id and p.message_id = k.message_id
    order by p.workspace_id, p.message_id, p.number`);
}

/** Writes the statuses, ids and times of parts that the caller has locked. */
export async function updateParts(tx: Tx, rows: readonly MessagePart[]): Promise<void> {
  if (rows.length === 0) return;
  await tx.query(sql`
    update message_part p set status = n.status, error_code = n.error_code, error_message = n.error_message,
      provider_message_id = n.provider_message_id, sent_at = n.sent_at, delivered_at = n.delivered_at,
      read_at = n.read_at
    from unnest(
      ${rows.map((row) => row.workspaceId)}::uuid[], ${rows.map((row) => row.messageId)}::uuid[],
      ${rows.map((row) => row.number)}::smallint[], ${rows.map((row) => row.status)}::text[],
      ${rows.map((row) => row.errorCode)}::text[], ${rows.map((row) => row.errorMessage)}::text[],
      ${rows.map((row) => row.providerMessageId)}::text[], ${rows.map((row) => row.sentAt)}::timestamptz[],
      ${rows.map((row) => row.deliveredAt)}::timestamptz[], ${rows.map((row) => row.readAt)}::timestamptz[]
    ) as n (workspace_id, message_id, number, status, error_code, error_message, provider_message_id, sent_at,
      delivered_at, read_at)
    where p.workspace_id = n.workspace_id and p.message_id = n.message_id and p.number = n.number`);
}

/** Makes replies due again whose part is over and which have more parts. */
export async function resumeReplies(tx: Tx, keys: readonly MessageKey[], at: Date): Promise<void> {
  if (keys.length === 0) return;
  await tx.query(sql`
    update message_outbox o set state = 'waiting', available_at = ${at}::timestamptz, attempts = 0,
      lease_until = null, unknown_until = null
    from unnest(${keys.map((key) => key.workspaceId)}::uuid[], ${keys.map((key) => key.id)}::uuid[])
      as k (workspace_id, message_id)
    where o.workspace_id = k.workspace_id and o.message_id = k.message_id and o.state in ('calling', 'unknown')`);
}
