import type { Queryable } from "../db/database.ts";
import { sql } from "../db/sql.ts";
import type { Definition, Segment } from "./segment.ts";

interface Row {
  id: string;
  name: string;
  definition: Definition;
  cached_count: number | null;
  cached_at: Date | null;
  created_at: Date;
}

const present = (row: Row): Segment => ({
  id: row.id,
  name: row.name,
  definition: row.definition,
  cachedCount: row.cached_count,
  cachedAt: row.cached_at?.toISOString() ?? null,
  createdAt: row.created_at.toISOString(),
});

export async function insertSegment(
  db: Queryable,
  row: { workspaceId: string; id: string; name: string; definition: string; createdAt: Date },
): Promise<Segment[]> {
  const rows = await db.query<Row>(sql`
    insert into segment (workspace_id, id, name, definition, created_at)
    values (${row.workspaceId}, ${row.id}, ${row.name}, ${row.definition}::json, ${row.createdAt})
    returning id, name, definition, cached_count, cached_at, created_at`);
  return rows.map(present);
}

export async function selectSegments(
  db: Queryable,
  workspaceId: string,
  id: string | null,
): Promise<Segment[]> {
  const rows = await db.query<Row>(sql`
    select id, name, definition, cached_count, cached_at, created_at from segment
    where workspace_id = ${workspaceId} and (${id}::uuid is null or id = ${id}::uuid) order by id`);
  return rows.map(present);
}

export interface DueSegment {
  readonly workspaceId: string;
  readonly id: string;
  readonly definition: Definition;
}

/** Takes one segment whose count is older than `before`; its time moves on at once, so that nobody else takes it. */
export async function claimStale(db: Queryable, before: Date, now: Date): Promise<DueSegment[]> {
  const rows = await db.query<{ workspace_id: string; id: string; definition: Definition }>(sql`
    update segment s set cached_at = ${now}
    from (
      select workspace_id, id from segment where cached_at is null or cached_at < ${before}
      order by cached_at nulls first limit 1 for update skip locked
    ) as due
    where s.workspace_id = due.workspace_id and s.id = due.id
    returning s.workspace_id, s.id, s.definition`);
  return rows.map((row) => ({
    workspaceId: row.workspace_id,
    id: row.id,
    definition: row.definition,
  }));
}

export async function storeCount(
  db: Queryable,
  segment: DueSegment,
  count: number,
  now: Date,
): Promise<void> {
  await db.query(sql`
    update segment set cached_count = ${count}, cached_at = ${now}
    where workspace_id = ${segment.workspaceId} and id = ${segment.id}`);
}
