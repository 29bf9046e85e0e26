import { sql, type Sql } from "../../db/sql.ts";

/** The turn whose answer a message is; null: none, or it was deleted after its 30 days. */
export const turnOfMessage = (workspaceId: Sql | string, messageId: Sql): Sql =>
  sql`(select id from ai_turn where workspace_id = ${workspaceId} and message_id = ${messageId} limit 1)`;
