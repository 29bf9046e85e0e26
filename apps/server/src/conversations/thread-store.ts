import type { Tx } from "../db/database.ts";
import { sql } from "../db/sql.ts";
import { TOPICS_CHANNEL } from "../lib/topics.ts";

export interface ThreadEntry {
  readonly workspaceId: string;
  readonly conversationId: string;
  readonly messageId: string;
}

/**
 * Numbers the changes in the order given, per conversation, and tells the other processes with the commit. The
 * conversations are locked in id order. Gives each one's visitor and last number.
 */
export function numberChanges(
  tx: Tx,
  entries: readonly ThreadEntry[],
  processId: string,
): Promise<{ channelId: string; externalId: string; last: number }[]> {
  return tx.query(sql`
    with entry as (
      select * from unnest(${entries.map((one) => one.workspaceId)}::uuid[],
        ${entries.map((one) => one.conversationId)}::uuid[], ${entries.map((one) => one.messageId)}::uuid[])
        with ordinality as e (workspace_id, conversation_id, message_id, n)
    ), total as (
      select workspace_id, conversation_id, count(*) as n from entry group by 1, 2
    ), locked as materialized (
      select c.workspace_id, c.id, t.n from conversation c
      join total t on t.workspace_id = c.workspace_id and t.conversation_id = c.id
      order by c.workspace_id, c.id for no key update of c
    ), moved as (
      update conversation c set chat_sequence = c.chat_sequence + l.n from locked l
      where c.workspace_id = l.workspace_id and c.id = l.id
      returning c.workspace_id, c.id, c.channel_id, c.external_id, c.chat_sequence as last, l.n
    ), numbered as (
      select e.workspace_id, e.message_id, m.last - m.n + row_number() over (
        partition by e.workspace_id, e.conversation_id order by e.n) as sequence
      from entry e join moved m on m.workspace_id = e.workspace_id and m.id = e.conversation_id
    ), written as (
      update message m set chat_created = coalesce(m.chat_created, n.sequence), chat_changed = n.sequence
      from numbered n where m.workspace_id = n.workspace_id and m.id = n.message_id
      returning 1
    )
    select m.channel_id as "channelId", m.external_id as "externalId", m.last,
      pg_notify(${TOPICS_CHANNEL}, json_build_object('from', ${processId}::text,
        'topic', m.channel_id || '/' || m.external_id,
        'note', json_build_object('kind', 'thread', 'sequence', m.last))::text) as told
    from moved m`);
}

/** A conversation goes over to another contact, under the id that replies now go to. The row must be locked. */
export async function handOver(
  tx: Tx,
  key: { readonly workspaceId: string; readonly id: string },
  contactId: string,
  externalId: string,
): Promise<void> {
  await tx.query(sql`
    update conversation set contact_id = ${contactId}, external_id = ${externalId}
    where workspace_id = ${key.workspaceId} and id = ${key.id}`);
}

/** What is left of a conversation whose messages went into another one goes. Both rows must be locked. */
export async function absorb(
  tx: Tx,
  workspaceId: string,
  fromId: string,
  intoId: string,
): Promise<void> {
  await tx.query(sql`
    with gone as (
      delete from conversation where workspace_id = ${workspaceId} and id = ${fromId}
      returning workspace_id, status, labels, unread_count, last_message_at
    )
    update conversation c set unread_count = c.unread_count + g.unread_count,
      last_message_at = greatest(c.last_message_at, g.last_message_at),
      status = case when g.status = 'resolved' then c.status else 'open' end,
      labels = c.labels || array(select unnest(g.labels) except select unnest(c.labels))
    from gone g where c.workspace_id = g.workspace_id and c.id = ${intoId}`);
}
