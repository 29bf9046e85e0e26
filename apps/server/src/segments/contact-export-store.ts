import type { Queryable, Tx } from "../db/database.ts";
import { deleteOldRows } from "../db/delete-old-rows.ts";
import { sql } from "../db/sql.ts";
import type { EXPORT_FIELDS, EXPORT_FORMATS } from "../wire/contact-export.ts";
import type { Definition } from "./segment.ts";

export interface ContactExportRow {
  readonly id: string;
  readonly segmentId: string | null;
  readonly definition: Definition | null;
  readonly fields: readonly (typeof EXPORT_FIELDS)[number][];
  readonly format: (typeof EXPORT_FORMATS)[number];
  readonly createdAt: Date;
}

export async function insertExport(
  tx: Tx,
  workspaceId: string,
  row: ContactExportRow,
  author: string,
): Promise<void> {
  await tx.query(sql`
    insert into contact_export (workspace_id, id, segment_id, definition, fields, format, author, created_at)
    values (${workspaceId}, ${row.id}, ${row.segmentId}, ${row.definition && JSON.stringify(row.definition)}::jsonb,
      ${row.fields}::text[], ${row.format}, ${author}, ${row.createdAt})`);
}

/** One that was asked for after `since`. */
export async function selectExport(
  db: Queryable,
  workspaceId: string,
  id: string,
  since: Date,
): Promise<ContactExportRow | null> {
  const [row] = await db.query<ContactExportRow>(sql`
    select id, segment_id as "segmentId", definition, fields, format, created_at as "createdAt" from contact_export
    where workspace_id = ${workspaceId} and id = ${id} and created_at > ${since}`);
  return row ?? null;
}

/** Deletes up to `limit` from before a time. Gives how many. */
export const deleteOldExports = (db: Queryable, before: Date, limit: number): Promise<number> =>
  deleteOldRows(db, sql`contact_export`, { before, where: sql`true`, limit });
