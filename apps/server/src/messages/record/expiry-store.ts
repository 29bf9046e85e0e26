import type { Queryable, Tx } from "../../db/database.ts";
import { nilId, sql } from "../../db/sql.ts";
import { digestOf } from "./message-sql.ts";

/**
 * The next messages between two ids that may be deleted, and how many were looked at. Not among them: what is in the
 * outbox, whatever its state, and messages of the campaigns `held`.
 */
export async function selectOldMessages(
  tx: Tx,
  workspaceId: string,
  { above, below }: { readonly above: string; readonly below: string },
  held: readonly string[],
  limit: number,
): Promise<{
  readonly looked: number;
  readonly last: string;
  readonly messages: readonly { readonly id: string; readonly threadId: string | null }[];
}> {
  const rows = await tx.query<{ id: string; threadId: string | null; stays: boolean }>(sql`
    select m.id, m.conversation_id as "threadId", coalesce(m.broadcast_id = any(${held}::uuid[]), false) or exists (
      select 1 from message_outbox o where o.workspace_id = ${workspaceId} and o.message_id = m.id) as stays
    from (select id, conversation_id, broadcast_id from message
      where workspace_id = ${workspaceId} and id > ${above} and id < ${below} order by id limit ${limit}) m
    order by m.id`);
  const messages = rows.filter(({ stays }) => !stays);
  return { looked: rows.length, last: rows.at(-1)?.id ?? above, messages };
}

/** Locks those of these messages that no other transaction has locked, and gives their ids. */
export async function lockOldMessages(
  tx: Tx,
  workspaceId: string,
  ids: readonly string[],
): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(sql`
    select id from message where workspace_id = ${workspaceId} and id = any(${ids}::uuid[])
    order by id for update skip locked`);
  return rows.map(({ id }) => id);
}

/**
 * Deletes messages with their parts. Remembers the platform's ids of those that were stored after `since`. The words
 * in the search and the authors go with them. Gives how many.
 */
export async function deleteOldMessages(
  tx: Tx,
  workspaceId: string,
  ids: readonly string[],
  since: Date,
): Promise<number> {
  const [row] = await tx.query<{ count: number }>(sql`
    with message_gone as (
      delete from message where workspace_id = ${workspaceId} and id = any(${ids}::uuid[])
      returning id, channel_id, provider_message_id, created_at
    ), part_gone as (
      delete from message_part where workspace_id = ${workspaceId} and message_id = any(${ids}::uuid[])
      returning message_id, channel_id, provider_message_id
    ), remembered as (
      insert into forgotten_message (workspace_id, channel_id, digest, stored_at)
      select ${workspaceId}::uuid, coalesce(channel_id, ${nilId}), ${digestOf(sql`provider_message_id`)}, created_at from message_gone
      where provider_message_id is not null and created_at > ${since}
      union all
      select ${workspaceId}::uuid, p.channel_id, ${digestOf(sql`p.provider_message_id`)}, m.created_at
      from part_gone p join message_gone m on m.id = p.message_id
      where p.provider_message_id is not null and m.created_at > ${since}
      on conflict do nothing
    )
    select count(*)::int as count from message_gone`);
  return row?.count ?? 0;
}

/** How many messages have an id below this one; counts no further than `most`. */
export async function countBelow(
  db: Queryable,
  workspaceId: string,
  below: string,
  most: number,
): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    select count(*)::int as count from (select 1 from message
      where workspace_id = ${workspaceId} and id < ${below} limit ${most}) m`);
  return row?.count ?? 0;
}

/** Deletes the ids of messages that were stored before. Gives how many, at most a thousand. */
export async function pruneForgotten(db: Queryable, before: Date): Promise<number> {
  const rows = await db.query(sql`
    delete from forgotten_message where ctid = any(array(
      select ctid from forgotten_message where stored_at <= ${before} limit 1000)) and stored_at <= ${before}
    returning 1`);
  return rows.length;
}
