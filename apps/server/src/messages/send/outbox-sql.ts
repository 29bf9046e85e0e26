import { sql, type Sql } from "../../db/sql.ts";
import { workspaceIds } from "../../workspaces/workspace-sql.ts";
import { messageAt } from "../record/message-sql.ts";

/** The replies of the installation that wait or are being sent, as rows `queue, state, n`. */
export const replyQueue: Sql = sql`
  select 'messages' as queue, state, count(*) as n from message_outbox group by state`;

/** Since when the reply that waits longest has waited; null: none waits. Looks by index, workspace by workspace. */
export const oldestReply: Sql = sql`(select min(m.created_at) from ${workspaceIds} w
  cross join lateral (select message_id from message_outbox
    where workspace_id = w.id and state = 'waiting' order by message_id limit 1) o
  cross join lateral ${messageAt(sql`w.id`, sql`o.message_id`)} m)`;
