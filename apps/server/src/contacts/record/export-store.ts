import type { Db } from "../../db/database.ts";
import { sql, type Sql } from "../../db/sql.ts";
import { MAX_ID } from "../../lib/ids.ts";

// A segment that few contacts fit reads many rows for one page.
const TIMEOUT_MS = 60_000;

/** The next page along the key, newest first, from below `before`. */
export async function exportPage(
  db: Db,
  workspaceId: string,
  where: Sql,
  before: string | null,
  limit: number,
): Promise<string[]> {
  const rows = await db.slowQuery<{ document: string }>(
    sql`select c.document from contact c
      where c.workspace_id = ${workspaceId} and c.id < coalesce(${before}::uuid, ${MAX_ID})
        and ${where}
      order by c.id desc limit ${limit}`,
    TIMEOUT_MS,
    "planned each time",
  );
  return rows.map((row) => row.document);
}
