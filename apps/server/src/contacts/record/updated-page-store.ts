import type { Db } from "../../db/database.ts";
import { sql, type Sql } from "../../db/sql.ts";

const ANSWER_MS = 5_000;

/** Where a page of contacts in the order of their last change begins: after this contact. */
export interface UpdatedAfter {
  readonly updatedAt: Date;
  readonly id: string;
}

/**
 * The ids of contacts that fit a condition over `contact c`, the one that changed longest ago first. A contact that changes
 * while somebody reads on moves to the end, so none is passed over. Throws `QueryTimeout` after five seconds.
 */
export function selectUpdated(
  db: Db,
  workspaceId: string,
  where: Sql,
  after: UpdatedAfter | null,
  limit: number,
): Promise<{ id: string; updatedAt: Date }[]> {
  const from = after
    ? sql`(c.updated_at, c.id) > (${after.updatedAt}::timestamptz, ${after.id}::uuid)`
    : sql`true`;
  return db.slowQuery<{ id: string; updatedAt: Date }>(
    sql`select c.id, c.updated_at as "updatedAt" from contact c
      where c.workspace_id = ${workspaceId} and ${from} and ${where}
      order by c.updated_at, c.id limit ${limit}`,
    ANSWER_MS,
    "planned each time",
  );
}

/** The ids of contacts that fit a condition over `contact c`, the newest first. Throws `QueryTimeout` after five seconds. */
export async function selectNewestContacts(
  db: Db,
  workspaceId: string,
  where: Sql,
  below: string | null,
  limit: number,
): Promise<string[]> {
  const from = below === null ? sql`true` : sql`c.id < ${below}::uuid`;
  const rows = await db.slowQuery<{ id: string }>(
    sql`select c.id from contact c
      where c.workspace_id = ${workspaceId} and ${from} and ${where}
      order by c.id desc limit ${limit}`,
    ANSWER_MS,
    "planned each time",
  );
  return rows.map(({ id }) => id);
}
