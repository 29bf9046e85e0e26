import type { Queryable, Tx } from "../../db/database.ts";
import { deleteOldRows } from "../../db/delete-old-rows.ts";
import { ifGiven, literal, sql } from "../../db/sql.ts";
import type { ImportProgress, ImportResult } from "./import-report.ts";
import type { ImportDeed, ImportFormat } from "./import-rows.ts";

/** An import as it stands. Times are ISO 8601 text. */
export interface ContactImport extends ImportProgress {
  readonly id: string;
  readonly fileName: string;
  readonly fileSize: number;
  /** How the file is read and matched (`runImport`). */
  readonly options: { readonly format: ImportFormat } & Readonly<Record<string, unknown>>;
  readonly header: readonly string[] | null;
  /** running: in progress, or broken off; the same file and options then go on with it. */
  readonly state: "running" | "done" | "stopped";
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly finishedAt: string | null;
}

const COLUMNS = sql`id, file_name as "fileName", file_size as "fileSize", options, header, state, position as rows,
  created, updated, unchanged, refused, phones_completed as "phonesCompleted",
  emails_left_out as "emailsLeftOut", stopped_line as "stoppedAt", iso(created_at) as "createdAt",
  iso(updated_at) as "updatedAt", iso(finished_at) as "finishedAt"`;

export interface NewImport {
  readonly workspaceId: string;
  readonly id: string;
  readonly fileName: string;
  readonly sha256: string;
  readonly size: number;
  /** JSON text. */
  readonly options: string;
  readonly header: readonly string[] | null;
  readonly at: Date;
}

/** The import of this file with these options that broke off, if there is one. */
export async function selectOpenImport(
  db: Queryable,
  workspaceId: string,
  sha256: string,
  options: string,
): Promise<ContactImport | undefined> {
  const [row] = await db.query<ContactImport>(sql`
    select ${COLUMNS} from contact_import
    where workspace_id = ${workspaceId} and file_hash = decode(${sha256}, 'hex') and md5(options::text) = md5(${options}::jsonb::text)
      and state = 'running'`);
  return row;
}

/** The newest imports of the workspace, or the one with that id. */
export function selectImports(
  db: Queryable,
  workspaceId: string,
  id: string | null,
  limit: number,
): Promise<ContactImport[]> {
  return db.query<ContactImport>(sql`
    select ${COLUMNS} from contact_import
    where workspace_id = ${workspaceId} ${ifGiven(id, (given) => sql`and id = ${given}`)} order by id desc limit ${limit}`);
}

/** False when another process began the same import in this moment. */
export async function insertImport(tx: Tx, row: NewImport): Promise<boolean> {
  const rows = await tx.query(sql`
    insert into contact_import (workspace_id, id, file_name, file_hash, file_size, options, header, state, position,
      created_at, updated_at)
    values (${row.workspaceId}, ${row.id}, ${row.fileName}, decode(${row.sha256}, 'hex'), ${row.size},
      ${row.options}::jsonb, ${row.header}::text[], 'running', 0, ${row.at}, ${row.at})
    on conflict (workspace_id, file_hash, md5(options::text)) where state = 'running' do nothing returning id`);
  return rows.length > 0;
}

/**
 * Locks the import until the transaction ends; false when it is no longer at `position`, because another process
 * went on with it.
 */
export async function lockImport(
  tx: Tx,
  workspaceId: string,
  id: string,
  position: number,
): Promise<boolean> {
  const rows = await tx.query(sql`
    select 1 from contact_import
    where workspace_id = ${workspaceId} and id = ${id} and state = 'running' and position = ${position} for update`);
  return rows.length > 0;
}

// A longer row is a broken file. Its line and the reason are enough.
const MAX_RECORD = 65_536;

/** Moves the import past a batch, and stores the refused rows. */
export async function moveImport(
  tx: Tx,
  workspaceId: string,
  id: string,
  position: number,
  results: readonly ImportResult[],
  at: Date,
): Promise<void> {
  const count = (outcome: ImportResult["outcome"]): number =>
    results.filter((result) => result.outcome === outcome).length;
  const deeds = (deed: ImportDeed): number =>
    results.filter((result) => result.done.includes(deed)).length;
  await tx.query(sql`
    update contact_import set position = position + ${results.length}, created = created + ${count("created")},
      updated = updated + ${count("updated")}, unchanged = unchanged + ${count("unchanged")},
      refused = refused + ${count("refused")}, phones_completed = phones_completed + ${deeds("phone_completed")},
      emails_left_out = emails_left_out + ${deeds("email_left_out")}, updated_at = ${at}
    where workspace_id = ${workspaceId} and id = ${id}`);
  const refusals = results.flatMap((result, index) =>
    result.outcome === "refused"
      ? [
          {
            position: position + index,
            line: result.line,
            reason: storable(result.reason ?? ""),
            record: result.record.join("").length > MAX_RECORD ? [] : result.record.map(storable),
          },
        ]
      : [],
  );
  if (refusals.length === 0) return;
  await tx.query(sql`
    insert into contact_import_refusal (workspace_id, import_id, position, line, reason, record, created_at)
    select ${workspaceId}, ${id}, (r ->> 'position')::bigint, (r ->> 'line')::bigint, r ->> 'reason',
      array(select jsonb_array_elements_text(r -> 'record')), ${at}
    from jsonb_array_elements(${JSON.stringify(refusals)}::jsonb) as r`);
}

// What PostgreSQL's text cannot hold is often the very reason why the row was refused.
const storable = (text: string): string => text.toWellFormed().replaceAll("\0", "\ufffd");

/** Ends an import: all rows are read, or reading stopped at that line. */
export async function finishImport(
  tx: Tx,
  workspaceId: string,
  id: string,
  stoppedAt: number | null,
  at: Date,
): Promise<void> {
  await tx.query(sql`
    update contact_import set state = ${stoppedAt === null ? "done" : "stopped"}, stopped_line = ${stoppedAt},
      finished_at = ${at}, updated_at = ${at}
    where workspace_id = ${workspaceId} and id = ${id}`);
}

export interface StoredRefusal {
  readonly position: number;
  readonly line: number;
  readonly reason: string;
  readonly record: readonly string[];
}

/** Refused rows in the order of the file, those after `after`. */
export function selectRefusals(
  db: Queryable,
  workspaceId: string,
  importId: string,
  after: number,
  limit: number,
): Promise<StoredRefusal[]> {
  return db.query<StoredRefusal>(sql`
    select position, line, reason, record from contact_import_refusal
    where workspace_id = ${workspaceId} and import_id = ${importId} and position > ${after}
    order by position limit ${limit}`);
}

/** Removes refused rows older than `before`, at most `limit`; gives how many. */
export async function deleteOldRefusals(
  db: Queryable,
  before: Date,
  limit: number,
): Promise<number> {
  const rows = await db.query(sql`
    delete from contact_import_refusal where (workspace_id, import_id, position) in (
      select workspace_id, import_id, position from contact_import_refusal
      where created_at < ${before} order by created_at limit ${literal(limit)} for update skip locked)
    returning position`);
  return rows.length;
}

/** The reasons why rows were refused, with the number of rows, the most frequent first. */
export function selectRefusalReasons(
  db: Queryable,
  workspaceId: string,
  importId: string,
  limit: number,
): Promise<{ reason: string; rows: number }[]> {
  return db.query<{ reason: string; rows: number }>(sql`
    select reason, count(*)::int as rows from contact_import_refusal
    where workspace_id = ${workspaceId} and import_id = ${importId}
    group by reason order by count(*) desc, reason limit ${limit}`);
}

/** As `selectReasons`, with the first lines of each reason; reads only the first `most` refusals. */
export function selectRefusalLines(
  db: Queryable,
  workspaceId: string,
  importId: string,
  most: number,
): Promise<{ reason: string; rows: number; lines: number[] }[]> {
  return db.query<{ reason: string; rows: number; lines: number[] }>(sql`
    select reason, count(*)::int as rows, (array_agg(line::int order by position))[1:5] as lines
    from (
      select reason, line, position from contact_import_refusal
      where workspace_id = ${workspaceId} and import_id = ${importId} order by position limit ${most}
    ) as refused
    group by reason order by count(*) desc, reason limit 500`);
}

/** Deletes imports with their last row before that time; gives how many. */
export function deleteOldImports(db: Queryable, before: Date, limit: number): Promise<number> {
  const where = sql`o.updated_at < ${before}`;
  return deleteOldRows(db, sql`contact_import`, { before, where, limit });
}

/** The running imports of these workspaces, and how far they are. */
export function selectRunning(
  db: Queryable,
  workspaceIds: readonly string[],
): Promise<{ readonly workspaceId: string; readonly id: string; readonly at: string }[]> {
  return db.query(sql`
    select workspace_id as "workspaceId", id, position::text as at
    from contact_import where state = 'running' and workspace_id = any (${workspaceIds}::uuid[])`);
}
