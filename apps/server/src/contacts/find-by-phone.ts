import type { Queryable } from "../db/database.ts";
import { sql } from "../db/sql.ts";

/** The ids of the contacts of a workspace with this phone number (digits), oldest first. */
export async function findContactIdsByPhone(
  db: Queryable,
  workspaceId: string,
  phone: string,
): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    sql`select id from contact where workspace_id = ${workspaceId} and phone = ${phone} order by id`,
  );
  return rows.map((row) => row.id);
}
