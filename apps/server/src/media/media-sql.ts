import { sql, type Sql } from "../db/sql.ts";

/** One file, to stand after `lateral`: a look-up by the key. */
export const mediaAt = (workspaceId: Sql, id: Sql): Sql =>
  sql`(select * from media where workspace_id = ${workspaceId} and id = ${id} limit 1)`;
