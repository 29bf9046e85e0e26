import type { Queryable, Tx } from "../../db/database.ts";
import { literal, sql } from "../../db/sql.ts";
import type { ChangeCause, ContactDifference } from "./contact-change.ts";

export interface ChangeRow {
  readonly workspaceId: string;
  readonly id: string;
  readonly contactId: string;
  readonly cause: ChangeCause;
  readonly changes: readonly ContactDifference[];
  readonly at: Date;
}

/** Stores changes of contacts for their timelines. */
export async function insertChanges(tx: Tx, rows: readonly ChangeRow[]): Promise<void> {
  await tx.query(sql`
    insert into contact_change (workspace_id, contact_id, id, source, ref, changes, created_at)
    select w, c, i, s, r, d::json, t from unnest(
      ${rows.map((row) => row.workspaceId)}::uuid[], ${rows.map((row) => row.contactId)}::uuid[],
      ${rows.map((row) => row.id)}::uuid[], ${rows.map((row) => row.cause.source)}::text[],
      ${rows.map((row) => row.cause.ref)}::text[], ${rows.map((row) => JSON.stringify(row.changes))}::text[],
      ${rows.map((row) => row.at)}::timestamptz[]) as u (w, c, i, s, r, d, t)`);
}

export interface StoredChange {
  readonly id: string;
  readonly source: ChangeCause["source"];
  readonly ref: string | null;
  readonly changes: readonly ContactDifference[];
  readonly createdAt: Date;
}

/** The changes of these contacts, newest first, with ids below `below`. */
export function selectChanges(
  db: Queryable,
  workspaceId: string,
  contactIds: readonly string[],
  below: string,
  limit: number,
): Promise<StoredChange[]> {
  return db.query<StoredChange>(sql`
    select x.* from unnest(${contactIds}::uuid[]) as p (id) cross join lateral (
      select id, source, ref, changes, created_at as "createdAt" from contact_change
      where workspace_id = ${workspaceId} and contact_id = p.id and id < ${below}::uuid
      order by id desc limit ${limit}) x
    order by x.id desc limit ${limit}`);
}

/** Removes changes older than `before`, at most `limit`; gives how many. */
export async function deleteOldChanges(
  db: Queryable,
  before: Date,
  limit: number,
): Promise<number> {
  const rows = await db.query(sql`
    delete from contact_change where (workspace_id, contact_id, id) in (
      select workspace_id, contact_id, id from contact_change
      where created_at < ${before} order by created_at limit ${literal(limit)} for update skip locked)
    returning 1`);
  return rows.length;
}
