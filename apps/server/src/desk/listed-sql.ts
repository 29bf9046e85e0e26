import { sql, type Sql } from "../db/sql.ts";

/** Pieces for lists of conversations that programs read. Each goes after `from` or `lateral`. */

/** The conversations with a label, as `conversation_id`; the index `desk_label_list` has them in their order. */
export const labelledThreads = (workspaceId: string, label: string): Sql =>
  sql`(select conversation_id from desk_label where workspace_id = ${workspaceId} and label = ${label})`;

/** Rows that may have unread messages, by the index `desk_unread`; the conversation says whether it has. */
export const perhapsUnread = (workspaceId: string): Sql =>
  sql`(select conversation_id, changed_at from desk_conversation
    where workspace_id = ${workspaceId} and unread is not false)`;

/** The rows of the inbox; the index `desk_by_time` has them in the order of their last change. */
export const deskByTime = (workspaceId: string): Sql =>
  sql`(select conversation_id, changed_at, status, channel_id, assignee_id from desk_conversation
    where workspace_id = ${workspaceId})`;

/** Whether a row's customer waits for an answer, as the view Unanswered has it. In these words, which its index has. */
const waits: Sql = sql`waiting_since is not null and status = 'open'`;

/** The rows whose customers wait for an answer, by the index `desk_waiting`. */
export const waitingRows = (workspaceId: string): Sql =>
  sql`(select conversation_id, changed_at, status, channel_id, assignee_id from desk_conversation
    where workspace_id = ${workspaceId} and ${waits})`;

/** Whether the customer of a conversation waits for an answer. */
export const isWaiting = (workspaceId: string, conversationId: Sql): Sql =>
  sql`exists (select 1 from desk_conversation
    where workspace_id = ${workspaceId} and conversation_id = ${conversationId} and ${waits})`;

/** The row of one conversation. */
export const deskRowOf = (workspaceId: string, conversationId: Sql): Sql =>
  sql`(select conversation_id, changed_at from desk_conversation
    where workspace_id = ${workspaceId} and conversation_id = ${conversationId} limit 1)`;
