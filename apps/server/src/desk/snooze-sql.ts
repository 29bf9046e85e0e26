import { sql, type Sql } from "../db/sql.ts";

/** When the snooze of a conversation ends; null when it has no end. Read by the key, one row. */
export const snoozeEnd = (
  workspaceId: Sql,
  id: Sql,
): Sql => sql`(select snoozed_until from desk_conversation
  where workspace_id = ${workspaceId} and conversation_id = ${id} limit 1)`;
