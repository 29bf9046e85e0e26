import { sql, type Sql } from "../db/sql.ts";

/** One file by its key, to stand after `lateral`. */
export const mediaAt = (workspaceId: Sql, id: Sql): Sql =>
  sql`(select * from media where workspace_id = ${workspaceId} and id = ${id} limit 1)`;

/** Since when a customer's file has been due to be fetched; null: none is. */
export const oldestDueMedia = (now: Date): Sql =>
  sql`(select min(available_at) from media where state = 'pending' and available_at <= ${now}::timestamptz)`;
