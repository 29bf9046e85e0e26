import { sql, type Sql } from "../db/sql.ts";

/** One file by its key, to stand after `lateral`. */
export const mediaAt = (workspaceId: Sql, id: Sql): Sql =>
  sql`(select * from media where workspace_id = ${workspaceId} and id = ${id} limit 1)`;
