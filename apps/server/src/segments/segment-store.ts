import type { Queryable, Tx } from "../db/database.ts";
import { contactAt, contactsOf, contactTotal } from "../contacts/record/contact-sql.ts";
import { ifGiven, join, sql, type Sql } from "../db/sql.ts";
import type { Definition } from "./segment.ts";
import type { SegmentJson } from "../wire/segment.ts";

interface Row {
  id: string;
  name: string;
  definition: Definition;
  cached_count: number | null;
  cached_at: Date | null;
  created_at: Date;
}

const present = (row: Row): SegmentJson => ({
  id: row.id,
  name: row.name,
  definition: row.definition,
  cachedCount: row.cached_count,
  cachedAt: row.cached_at?.toISOString() ?? null,
  createdAt: row.created_at.toISOString(),
});

/** Stores a segment; its count is due at once. */
export async function insertSegment(
  db: Queryable,
  row: { workspaceId: string; id: string; name: string; definition: string; createdAt: Date },
): Promise<SegmentJson[]> {
  const rows = await db.query<Row>(sql`
    insert into segment (workspace_id, id, name, definition, count_due_at, created_at)
    values (${row.workspaceId}, ${row.id}, ${row.name}, ${row.definition}::json, ${row.createdAt}, ${row.createdAt})
    returning id, name, definition, cached_count, cached_at, created_at`);
  return rows.map(present);
}

/** All segments of the workspace, oldest first, or the one with that id. */
export async function selectSegments(
  db: Queryable,
  workspaceId: string,
  id: string | null,
): Promise<SegmentJson[]> {
  const rows = await db.query<Row>(sql`
    select id, name, definition, cached_count, cached_at, created_at from segment
    where workspace_id = ${workspaceId} ${ifGiven(id, (given) => sql`and id = ${given}`)} order by id`);
  return rows.map(present);
}

/** The segments with these names. Older ones may share a name. */
export async function selectSegmentsNamed(
  db: Queryable,
  workspaceId: string,
  names: readonly string[],
): Promise<SegmentJson[]> {
  const rows = await db.query<Row>(sql`
    select id, name, definition, cached_count, cached_at, created_at from segment
    where workspace_id = ${workspaceId} and name = any (${[...names]}::text[]) order by id`);
  return rows.map(present);
}

/** The segments with these names, oldest first, and held as they are until the transaction ends. */
export async function shareSegmentsNamed(
  tx: Tx,
  workspaceId: string,
  names: readonly string[],
): Promise<SegmentJson[]> {
  const rows = await tx.query<Row>(sql`
    select id, name, definition, cached_count, cached_at, created_at from segment
    where workspace_id = ${workspaceId} and name = any (${[...names]}::text[]) order by id for share`);
  return rows.map(present);
}

/** The segments with these ids or names, oldest first. */
export async function selectSegmentsKnownAs(
  db: Queryable,
  workspaceId: string,
  ids: readonly string[],
  names: readonly string[],
): Promise<SegmentJson[]> {
  const rows = await db.query<Row>(sql`
    select id, name, definition, cached_count, cached_at, created_at from segment
    where workspace_id = ${workspaceId}
      and (id = any (${[...ids]}::uuid[]) or name = any (${[...names]}::text[])) order by id`);
  return rows.map(present);
}

/** Which of some conditions over `c` a contact fits, in their order: one look-up by its key. Empty: there is no such contact. */
export async function selectFits(
  db: Queryable,
  workspaceId: string,
  contactId: string,
  conditions: readonly Sql[],
): Promise<readonly boolean[]> {
  const each = join(
    conditions.map((condition) => sql`coalesce((${condition}), false)`),
    ", ",
  );
  const [row] = await db.query<{ fits: boolean[] }>(
    sql`select array[${each}] as fits from ${contactAt(workspaceId, sql`${contactId}`)} c`,
  );
  return row?.fits ?? [];
}

/** One segment, locked until the transaction ends. */
export async function lockSegment(
  tx: Tx,
  workspaceId: string,
  id: string,
): Promise<SegmentJson | undefined> {
  const rows = await tx.query<Row>(sql`
    select id, name, definition, cached_count, cached_at, created_at from segment
    where workspace_id = ${workspaceId} and id = ${id} for no key update`);
  return rows.map(present)[0];
}

/** Until the transaction ends no other one looks for a free name: two at once would both find it free. */
export async function lockNames(tx: Tx, workspaceId: string): Promise<void> {
  await tx.query(
    sql`select pg_advisory_xact_lock(hashtextextended(${`segment:${workspaceId}`}, 0))`,
  );
}

/** The segment with a name, other than `own`; null: there is none. */
export async function selectIdOfName(
  tx: Tx,
  workspaceId: string,
  name: string,
  own: string | null,
): Promise<string | null> {
  const [row] = await tx.query<{ id: string }>(sql`
    select id from segment where workspace_id = ${workspaceId} and name = ${name}
      ${ifGiven(own, (given) => sql`and id <> ${given}`)} order by id limit 1`);
  return row?.id ?? null;
}

/** Changes a segment; with a new definition its count is unknown, and due at `at`. */
export async function updateSegmentRow(
  tx: Tx,
  row: { workspaceId: string; id: string; name: string; definition: string; at: Date },
): Promise<SegmentJson[]> {
  const same = sql`definition::text = ${row.definition}`;
  const rows = await tx.query<Row>(sql`
    update segment set name = ${row.name}, definition = ${row.definition}::json,
      cached_count = case when ${same} then cached_count end, cached_at = case when ${same} then cached_at end,
      count_due_at = case when ${same} then count_due_at else ${row.at}::timestamptz end
    where workspace_id = ${row.workspaceId} and id = ${row.id}
    returning id, name, definition, cached_count, cached_at, created_at`);
  return rows.map(present);
}

export async function deleteSegmentRow(tx: Tx, workspaceId: string, id: string): Promise<void> {
  await tx.query(sql`delete from segment where workspace_id = ${workspaceId} and id = ${id}`);
}

export interface DueSegment {
  readonly workspaceId: string;
  readonly id: string;
  readonly definition: Definition;
  /** As it is stored: a count is of this definition only. */
  readonly stored: string;
}

/**
 * Claims one segment that is due to be counted, of no workspace in `resting`. It is due again at `again`, so that
 * nobody else claims it meanwhile.
 */
export function claimDue(
  db: Queryable,
  now: Date,
  again: Date,
  resting: readonly string[] = [],
): Promise<DueSegment[]> {
  return db.query<DueSegment>(sql`
    update segment s set count_due_at = ${again}
    from (
      select workspace_id, id from segment where count_due_at <= ${now}
        and workspace_id <> all (${resting}::uuid[])
      order by count_due_at limit 1 for update skip locked
    ) as due
    where s.workspace_id = due.workspace_id and s.id = due.id
    returning s.workspace_id as "workspaceId", s.id, s.definition, s.definition::text as stored`);
}

/** Stores a count, unless the definition changed meanwhile. */
export async function storeCount(
  db: Queryable,
  segment: DueSegment,
  count: number,
  at: Date,
): Promise<void> {
  await db.query(sql`
    update segment set cached_count = ${count}, cached_at = ${at}
    where workspace_id = ${segment.workspaceId} and id = ${segment.id} and definition::text = ${segment.stored}`);
}

type SegmentKey = Pick<DueSegment, "workspaceId" | "id">;

/** Makes the count due again at `at`. */
export async function postponeCount(db: Queryable, segment: SegmentKey, at: Date): Promise<void> {
  await db.query(sql`
    update segment set count_due_at = ${at}
    where workspace_id = ${segment.workspaceId} and id = ${segment.id}`);
}

/** Counts the contacts that fit a condition over contact `c`. */
export const countContacts = (workspaceId: string, where: Sql): Sql =>
  sql`select count(*) as count from ${contactsOf(workspaceId)} c where ${where}`;

/** Counts the contacts that do not fit it. */
export const countOthers = (workspaceId: string, where: Sql): Sql =>
  sql`select ${contactTotal(workspaceId)} - (${countContacts(workspaceId, where)}) as count`;

/**
 * Counts the contacts that fit among the next `window` contacts, newest first from below `before`; `last` is the
 * last of them.
 */
export const countWindow = (
  workspaceId: string,
  where: Sql,
  before: string,
  window: number,
): Sql => sql`
  with page as materialized (
    select c.id, (${where}) as chosen from ${contactsOf(workspaceId)} c
    where c.id < ${before} order by c.id desc limit ${window})
  select count(*) filter (where chosen) as count, (select id from page order by id limit 1) as last from page`;
