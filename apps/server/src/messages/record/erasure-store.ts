import type { Tx } from "../../db/database.ts";
import { sql } from "../../db/sql.ts";
import { NIL_ID } from "../../lib/ids.ts";

/** At most `limit` messages of these conversations, except `but`. Their order does not matter: all of them will go. */
export async function selectSomeMessages(
  tx: Tx,
  workspaceId: string,
  threadIds: readonly string[],
  but: readonly string[],
  limit: number,
): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(sql`
    select m.id from unnest(${threadIds}::uuid[]) as t (id)
    cross join lateral (select id from message where workspace_id = ${workspaceId} and conversation_id = t.id
      and id <> all (${but}::uuid[]) order by id limit ${limit}) m
    limit ${limit}`);
  return rows.map((row) => row.id);
}

export interface LockedMessage {
  readonly id: string;
  readonly channelId: string | null;
  /** Its state in the outbox; null: it is not in the outbox. */
  readonly state: "waiting" | "claimed" | "calling" | "unknown" | null;
}

/**
 * Locks messages and then their outbox rows, which is the order of every settlement. After that no claim can become a
 * call.
 */
export async function lockMessages(
  tx: Tx,
  workspaceId: string,
  ids: readonly string[],
): Promise<LockedMessage[]> {
  const messages = await tx.query<{ id: string; channelId: string | null }>(sql`
    select id, channel_id as "channelId" from message
    where workspace_id = ${workspaceId} and id = any(${ids}::uuid[]) order by id for update`);
  const waiting = await tx.query<{ id: string; state: LockedMessage["state"] }>(sql`
    select message_id as id, state from message_outbox
    where workspace_id = ${workspaceId} and message_id = any(${ids}::uuid[]) order by message_id for update`);
  const states = new Map(waiting.map((row) => [row.id, row.state]));
  return messages.map((row) => ({ ...row, state: states.get(row.id) ?? null }));
}

/**
 * Deletes messages, their parts, their outbox rows, and parked reports and changes that name them. Gives how many
 * messages.
 */
export async function deleteMessages(
  tx: Tx,
  workspaceId: string,
  ids: readonly string[],
): Promise<number> {
  const named = sql`
    select workspace_id, coalesce(channel_id, ${NIL_ID}) as channel_id, provider_message_id from message
    where workspace_id = ${workspaceId} and id = any(${ids}::uuid[]) and provider_message_id is not null
    union all
    select workspace_id, channel_id, provider_message_id from message_part
    where workspace_id = ${workspaceId} and message_id = any(${ids}::uuid[]) and provider_message_id is not null`;
  await tx.query(sql`
    delete from early_status e using (${named}) k where e.workspace_id = k.workspace_id
      and e.channel_id = k.channel_id and e.provider_message_id = k.provider_message_id`);
  await tx.query(sql`
    delete from early_change e using (${named}) k where e.workspace_id = k.workspace_id
      and e.channel_id = k.channel_id and e.provider_message_id = k.provider_message_id`);
  await tx.query(sql`
    delete from message_part where workspace_id = ${workspaceId} and message_id = any(${ids}::uuid[])`);
  await tx.query(sql`
    delete from message_outbox where workspace_id = ${workspaceId} and message_id = any(${ids}::uuid[])`);
  const rows = await tx.query(sql`
    delete from message where workspace_id = ${workspaceId} and id = any(${ids}::uuid[]) returning 1`);
  return rows.length;
}

/** Whether one of these conversations still has a message. */
export async function hasMessages(
  tx: Tx,
  workspaceId: string,
  threadIds: readonly string[],
): Promise<boolean> {
  const rows = await tx.query(sql`
    select 1 from message where workspace_id = ${workspaceId} and conversation_id = any(${threadIds}::uuid[]) limit 1`);
  return rows.length > 0;
}

/** Deletes kept calls and events whose body holds one of `words`. Gives how many. */
export async function deleteFailures(
  tx: Tx,
  workspaceId: string,
  words: readonly string[],
): Promise<number> {
  const rows = await tx.query(sql`
    delete from inbound_failure f where f.workspace_id = ${workspaceId} and exists (
      select 1 from unnest(${words.map((word) => Buffer.from(word))}::bytea[]) as w (word)
      where position(w.word in f.body) > 0) returning 1`);
  return rows.length;
}

/** Whether a call for a reply of these conversations is under way. */
export async function hasCalls(
  tx: Tx,
  workspaceId: string,
  threadIds: readonly string[],
): Promise<boolean> {
  const rows = await tx.query(sql`
    select 1 from message_outbox where workspace_id = ${workspaceId}
      and conversation_id = any(${threadIds}::uuid[]) and state = 'calling' limit 1`);
  return rows.length > 0;
}
