import { sql, type Sql } from "../db/sql.ts";

/**
 * The conversation of a contact on a channel, to stand after `lateral`. It is read by its key, because no planner
 * can turn it into a join.
 */
export const threadOf = (
  workspaceId: Sql | string,
  channelId: Sql | string,
  contactId: Sql | string,
): Sql => sql`(select * from conversation
  where workspace_id = ${workspaceId} and channel_id = ${channelId} and contact_id = ${contactId} limit 1)`;

/** Who answers a conversation, as JSON. A conversation that no bot has met has no row: no one answers. */
export const handlerOf = (workspaceId: Sql | string, id: Sql): Sql => sql`coalesce(
  (select jsonb_build_object('kind', handler, 'botId', bot_id) from bot_thread
    where workspace_id = ${workspaceId} and conversation_id = ${id} limit 1), '{"kind": "nobody", "botId": null}')`;

/** Who answers a conversation, to stand after `lateral`; no row: no bot has met it. */
export const answeredThread = (workspaceId: Sql | string, id: Sql): Sql =>
  sql`(select * from bot_thread where workspace_id = ${workspaceId} and conversation_id = ${id} limit 1)`;

/** The conversations that bots answer, to stand after `from`. */
export const answeredByBots = (workspaceId: string): Sql =>
  sql`(select conversation_id from bot_thread where workspace_id = ${workspaceId} and handler = 'bot')`;

/** The conversations that bots handed over and that were not resolved since, to stand after `from`. */
export const handedOverThreads = (
  workspaceId: string,
): Sql => sql`(select conversation_id from bot_thread
  where workspace_id = ${workspaceId} and handed_reason is not null)`;

/** One conversation, to stand after `lateral`; read by its key, as above. */
export const conversationAt = (workspaceId: Sql | string, id: Sql | string): Sql =>
  sql`(select * from conversation where workspace_id = ${workspaceId} and id = ${id} limit 1)`;

/** The conversations of a channel with the newest messages, to stand after `from`. */
export const newestThreads = (workspaceId: string, channelId: string, limit: number): Sql =>
  sql`(select * from conversation where workspace_id = ${workspaceId} and channel_id = ${channelId}
    order by last_message_at desc nulls last limit ${limit})`;

export interface NumberedMessage {
  readonly workspaceId: string;
  readonly conversationId: string;
  readonly messageId: string;
}

/**
 * Parts of a `with`: locks the conversations in id order and gives each change its next number, in the order given. `moved`
 * has `workspace_id, id, channel_id, external_id, last` of each conversation, `numbered` has `workspace_id, message_id,
 * sequence` of each change.
 */
export const nextNumbers = (entries: readonly NumberedMessage[]): Sql => sql`
    entry as (
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
    )`;
