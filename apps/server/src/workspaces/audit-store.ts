import type { Queryable, Tx } from "../db/database.ts";
import { deleteOldRows } from "../db/delete-old-rows.ts";
import { ifGiven, sql, type Sql } from "../db/sql.ts";
import type { AuditAction } from "./audit-actions.ts";
import { MAX_ID } from "../lib/ids.ts";

export interface AuditLine {
  readonly id: string;
  readonly actor: string;
  readonly action: string;
  readonly subject: string;
  readonly facts: Readonly<Record<string, unknown>>;
  readonly createdAt: Date;
}

/** Stores one entry. */
export async function insertAudit(
  tx: Tx,
  workspaceId: string,
  row: Omit<AuditLine, "facts"> & { readonly facts: object },
): Promise<void> {
  await tx.query(sql`insert into audit_entry (workspace_id, id, actor, action, subject, facts, created_at)
    values (${workspaceId}, ${row.id}, ${row.actor}, ${row.action}, ${row.subject},
            ${JSON.stringify(row.facts)}::jsonb, ${row.createdAt})`);
}

/** Entries that match every field that is given. */
export interface AuditFilter {
  /** As stored: "cli", "system", "member:<id>", "key:<id>". */
  readonly actor?: string;
  /** A whole action ("member.removed"), or a noun alone ("member") for every action on such records. */
  readonly action?: string;
  /** The id of the record that was changed. */
  readonly subject?: string;
  readonly since?: Date;
}

/**
 * A page of entries, newest first, with ids below `before`. The order is that of the key, so a page reads along the
 * index.
 */
export function selectAudit(
  db: Queryable,
  workspaceId: string,
  filter: AuditFilter,
  before: string | null,
  limit: number,
): Promise<AuditLine[]> {
  return db.query<AuditLine>(sql`
    select id, actor, action, subject, facts, created_at as "createdAt" from audit_entry
    where workspace_id = ${workspaceId}
      and id < ${before ?? MAX_ID}::uuid
      ${ifGiven(filter.actor, (given) => sql`and actor = ${given}`)}
      ${ifGiven(filter.action, (given) => sql`and (action = ${given}::text or action like ${given}::text || '.%')`)}
      ${ifGiven(filter.subject, (given) => sql`and subject = ${given}`)}
      ${ifGiven(filter.since, (given) => sql`and created_at >= ${given}::timestamptz`)}
    order by id desc limit ${limit}`);
}

/** The ids of the conversations that were joined into these; `subjects`: a query for the ids of these. */
const joinedInto = (workspaceId: string, subjects: Sql): Sql => sql`
  select j.id as subject from audit_entry e cross join lateral jsonb_array_elements_text(e.facts->'joinedFrom') j (id)
  where e.workspace_id = ${workspaceId} and e.subject in (${subjects}) and e.action = 'conversation.joined'`;

/** Empties the facts of all entries about these subjects. Actor, action and time stay. */
export async function eraseAudit(
  tx: Tx,
  workspaceId: string,
  subjects: readonly string[],
): Promise<void> {
  const given = sql`select unnest(${subjects}::text[]) as subject`;
  await tx.query(sql`
    update audit_entry set facts = '{}'
    where workspace_id = ${workspaceId} and facts <> '{}'
      and subject in (${given} union ${joinedInto(workspaceId, given)})`);
}

/** The newest entry of one of these actions on a subject; null: there is none. */
export async function lastAudit(
  db: Queryable,
  workspaceId: string,
  subject: string,
  actions: readonly AuditAction[],
): Promise<Pick<AuditLine, "id" | "actor" | "createdAt"> | null> {
  const [row] = await db.query<Pick<AuditLine, "id" | "actor" | "createdAt">>(sql`
    select id, actor, created_at as "createdAt" from audit_entry
    where workspace_id = ${workspaceId} and subject = ${subject} and action = any (${actions}::text[])
    order by id desc limit 1`);
  return row ?? null;
}

/** The conversations that were joined into this one, and into those before. */
export async function joinedFrom(
  db: Queryable,
  workspaceId: string,
  conversationId: string,
): Promise<string[]> {
  const rows = await db.query<{ subject: string }>(
    joinedInto(workspaceId, sql`select ${conversationId}::text`),
  );
  return rows.map(({ subject }) => subject);
}

/**
 * The audit of these subjects, newest first, with ids below `below`. A conversation has that of those that were joined
 * into it, too.
 */
export function auditOf(
  db: Queryable,
  workspaceId: string,
  subjects: readonly string[],
  below: string,
  limit: number,
): Promise<AuditLine[]> {
  const given = sql`select unnest(${subjects}::text[]) as subject`;
  return db.query<AuditLine>(sql`
    select a.* from (${given} union ${joinedInto(workspaceId, given)}) s cross join lateral (
      select id, actor, action, subject, facts, created_at as "createdAt" from audit_entry
      where workspace_id = ${workspaceId} and subject = s.subject and id < ${below}
      order by id desc limit ${limit}) a
    order by a.id desc limit ${limit}`);
}

/** Deletes entries from before a time, except those of a workspace's creation. Returns how many. */
export function deleteOldAudit(db: Queryable, before: Date, limit: number): Promise<number> {
  const where = sql`o.action <> 'workspace.created'`;
  return deleteOldRows(db, sql`audit_entry`, { before, where, limit });
}

/** The workspaces that somebody created, as their entries say. */
export async function selectMadeBy(db: Queryable, actor: string): Promise<string[]> {
  const rows = await db.query<{ id: string }>(sql`select w.id from workspace w where exists (
    select 1 from audit_entry a where a.workspace_id = w.id and a.action = 'workspace.created' and a.actor = ${actor})`);
  return rows.map((row) => row.id);
}
