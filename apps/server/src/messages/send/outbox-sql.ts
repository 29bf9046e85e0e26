import { throttledIds } from "../../channels/channel-sql.ts";
import { join, sql, type Sql } from "../../db/sql.ts";
import { workspaceIds } from "../../workspaces/workspace-sql.ts";
import { messageAt } from "../record/message-sql.ts";

/** The replies of the whole installation in the outbox, as rows `queue, state, n`, at most `most` of a state. */
export const replyQueue = (most: number): Sql => {
  const countOf = (state: Sql) => sql`
    select 'messages' as queue, ${state} as state,
      (select count(*) from (select 1 from message_outbox where state = ${state} limit ${most}::int) o) as n`;
  return join(
    [sql`'waiting'`, sql`'claimed'`, sql`'calling'`, sql`'unknown'`].map(countOf),
    " union all ",
  );
};

/**
 * Since when a reply is due that nothing holds back: neither an earlier one of its conversation (one of unknown outcome
 * holds nothing back) nor a channel that the platform throttles. Null: none is. Only the replies that are due longest are looked at.
 */
export const oldestDueReply = (
  now: Date,
): Sql => sql`(select min(o.available_at) from unnest('{f,t}'::boolean[]) kind (after_replies)
  cross join lateral (
    select workspace_id, conversation_id, message_id, channel_id, available_at from message_outbox
    where state = 'waiting' and after_replies = kind.after_replies and available_at <= ${now}::timestamptz
    order by available_at, message_id limit 100
  ) o where o.channel_id <> all (array(${throttledIds(now)})) and not exists (
    select 1 from message_outbox e where e.workspace_id = o.workspace_id
      and e.conversation_id = o.conversation_id and e.message_id < o.message_id and e.state <> 'unknown'))`;

/** Since when the longest waiting reply has waited; null: none waits. Reads by index, workspace by workspace. */
export const oldestReply: Sql = sql`(select min(m.created_at) from ${workspaceIds} w
  cross join lateral (select message_id from message_outbox
    where workspace_id = w.id and state = 'waiting' order by message_id limit 1) o
  cross join lateral ${messageAt(sql`w.id`, sql`o.message_id`)} m)`;

/** Whether a reply on a channel is due. What batches handed in is none: it reserves places of its number, as campaigns do. */
export const replyDue = (workspaceId: Sql, channelId: Sql, now: Date): Sql =>
  sql`(select 1 from message_outbox where state = 'waiting' and not after_replies and available_at <= ${now}
    and workspace_id = ${workspaceId} and channel_id = ${channelId} limit 1) is not null`;

/**
 * Whether a reply on a channel became due after `since` and no later than `until`. The `offset 0` keeps the query on
 * the index of due replies, however many replies of the workspace wait.
 */
export const replyDueBetween = (workspaceId: Sql, channelId: Sql, since: Sql, until: Sql): Sql =>
  sql`(select 1 from (select workspace_id, channel_id from message_outbox where state = 'waiting'
      and not after_replies and available_at > ${since} and available_at <= ${until} offset 0) o
    where o.workspace_id = ${workspaceId} and o.channel_id = ${channelId} limit 1) is not null`;

/** Whether a reply is still in the outbox, and its answer is not lost. */
export const waitsInOutbox = (workspaceId: Sql | string, messageId: Sql): Sql =>
  sql`exists (select 1 from message_outbox where workspace_id = ${workspaceId} and message_id = ${messageId}
    and state <> 'unknown')`;
