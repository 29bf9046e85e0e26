import { nilId, sql, type Sql } from "../../db/sql.ts";

/**
 * One message by its key, to stand after `lateral`. As a look-up the planner cannot turn it into a join over all
 * messages.
 */
export const messageAt = (workspaceId: Sql, id: Sql): Sql =>
  sql`(select * from message where workspace_id = ${workspaceId} and id = ${id} limit 1)`;

/** The newest messages of a conversation that have an id of the platform, to stand after `lateral`. */
export const newestKnown = (workspaceId: Sql, conversationId: Sql, limit: number): Sql =>
  sql`(select * from message where workspace_id = ${workspaceId} and conversation_id = ${conversationId}
    and provider_message_id is not null order by id desc limit ${limit})`;

/** How many of our messages a conversation has since the customer's last one. Failed ones do not count. */
export const repliesSince = (workspaceId: Sql, conversationId: Sql): Sql =>
  sql`(select count(*) filter (where direction = 'outbound' and status <> 'failed') from message
    where workspace_id = ${workspaceId} and conversation_id = ${conversationId}
      and id > coalesce((select id from message where workspace_id = ${workspaceId}
        and conversation_id = ${conversationId} and direction = 'inbound' order by id desc limit 1), ${nilId}))`;

/** The messages of a conversation, to stand after `from`. */
export const messagesOf = (workspaceId: Sql | string, conversationId: Sql | string): Sql =>
  sql`(select * from message where workspace_id = ${workspaceId} and conversation_id = ${conversationId})`;

/** The message that has this id of the platform on a channel, to stand after `from`. */
export const messageWith = (workspaceId: string, channelId: string, providerId: string): Sql =>
  sql`(select * from message where workspace_id = ${workspaceId} and coalesce(channel_id, ${nilId}) = ${channelId}
    and provider_message_id = ${providerId} and provider_message_id is not null)`;

/**
 * The message that a message `m` quotes, in one of whose pieces it has the quoted id of the platform; to stand after
 * `lateral`. Only a message of the same conversation is given.
 */
export const messageQuotedBy = (workspaceId: Sql | string): Sql => sql`
  (select o.* from jsonb_path_query_first(m.attachments, '$[*] ? (@.type == "quote").messageId') q (id)
    cross join lateral (
      select id from message where workspace_id = ${workspaceId} and coalesce(channel_id, ${nilId}) = coalesce(m.channel_id, ${nilId})
        and provider_message_id = q.id #>> '{}' and provider_message_id is not null
      union all
      select message_id from message_part where workspace_id = ${workspaceId} and channel_id = m.channel_id
        and provider_message_id = q.id #>> '{}' and provider_message_id is not null) k
    cross join lateral (select * from message where workspace_id = ${workspaceId} and id = k.id limit 1) o
    where o.conversation_id = m.conversation_id limit 1)`;

/**
 * Part of a `with`: puts the messages of `stored (workspace_id, id, text)` in the queue of the search
 * (messages/search/). A worker brings them in soon. Not for messages of campaigns.
 */
export const searchDue = (stored: Sql): Sql => sql`
    search_due as (
      insert into message_search_due (workspace_id, message_id)
      select workspace_id, id from ${stored} where text is not null
    )`;

/** What stays of a platform's id once its message is deleted: enough to know it again, and not to read it. */
export const digestOf = (providerId: Sql): Sql =>
  sql`substring(sha256(convert_to(${providerId}, 'UTF8')) for 16)`;
