import type { Queryable, Tx } from "../db/database.ts";
import { deleteOldRows } from "../db/delete-old-rows.ts";
import { ifGiven, sql, type Sql } from "../db/sql.ts";
import type { ImportFileState } from "../wire/words.ts";
import type { FileOptions, ImportFileRow } from "./import-file.ts";

const COLUMNS: Sql = sql`
  f.workspace_id as "workspaceId", f.id, f.media_id as "mediaId", f.file_name as "fileName", f.file_size as "fileSize",
  encode(f.file_hash, 'hex') as sha256, f.format, f.encoding, f.state, f.options, f.reason, f.import_id as "importId",
  f.bytes_read as "bytesRead", f.run_at as "runAt", f.run_rows as "runRows", f.tries, f.author,
  f.created_at as "createdAt", f.updated_at as "updatedAt", f.finished_at as "finishedAt"`;

type FileKey = Pick<ImportFileRow, "workspaceId" | "id">;

export type NewImportFile = Pick<
  ImportFileRow,
  | "workspaceId"
  | "id"
  | "mediaId"
  | "fileName"
  | "fileSize"
  | "sha256"
  | "format"
  | "encoding"
  | "author"
  | "createdAt"
>;

/** Stores a file that nobody has started yet. */
export async function insertImportFile(db: Queryable, row: NewImportFile): Promise<ImportFileRow> {
  const [file] = await db.query<ImportFileRow>(sql`
    insert into import_file as f (workspace_id, id, media_id, file_name, file_size, file_hash, format, encoding, state,
      author, created_at, updated_at)
    values (${row.workspaceId}, ${row.id}, ${row.mediaId}, ${row.fileName}, ${row.fileSize},
      decode(${row.sha256}, 'hex'), ${row.format}, ${row.encoding}, 'uploaded', ${row.author},
      ${row.createdAt}, ${row.createdAt})
    returning ${COLUMNS}`);
  if (!file) throw new Error("the file was not stored");
  return file;
}

/** The newest files of the workspace, or the one with that id. */
export function selectImportFiles(
  db: Queryable,
  workspaceId: string,
  id: string | null,
  limit: number,
): Promise<ImportFileRow[]> {
  return db.query<ImportFileRow>(sql`
    select ${COLUMNS} from import_file f
    where f.workspace_id = ${workspaceId} ${ifGiven(id, (given) => sql`and f.id = ${given}`)}
    order by f.id desc limit ${limit}`);
}

/** Marks an uploaded file as waiting for a worker. Undefined when it is no longer only uploaded. */
export async function startImportFile(
  tx: Tx,
  key: FileKey,
  options: FileOptions,
  at: Date,
): Promise<ImportFileRow | undefined> {
  const [file] = await tx.query<ImportFileRow>(sql`
    update import_file f set state = 'waiting', options = ${JSON.stringify(options)}::jsonb, available_at = ${at},
      updated_at = ${at}
    where f.workspace_id = ${key.workspaceId} and f.id = ${key.id} and f.state = 'uploaded'
    returning ${COLUMNS}`);
  return file;
}

/** Ends a file that is in one of the states `from`. Undefined when it is in another. */
export async function endImportFile(
  tx: Tx,
  key: FileKey,
  end: {
    readonly from: readonly ImportFileState[];
    readonly state: ImportFileState;
    readonly reason: string | null;
    readonly at: Date;
  },
): Promise<ImportFileRow | undefined> {
  const [file] = await tx.query<ImportFileRow>(sql`
    update import_file f set state = ${end.state}, reason = ${end.reason}, available_at = null, claimed_by = null,
      bytes_read = case when ${end.state} = 'done' then f.file_size else f.bytes_read end, updated_at = ${end.at},
      finished_at = ${end.at}
    where f.workspace_id = ${key.workspaceId} and f.id = ${key.id} and f.state = any(${end.from}::text[])
    returning ${COLUMNS}`);
  return file;
}

/** Files that wait, are being imported, or ended after `since`. `at` is a text that differs once the file has moved. */
export function selectMovingFiles(
  db: Queryable,
  workspaceIds: readonly string[],
  since: Date,
): Promise<{ readonly workspaceId: string; readonly id: string; readonly at: string }[]> {
  return db.query(sql`
    select workspace_id as "workspaceId", id, concat_ws(' ', state, bytes_read, import_id) as at from import_file
    where workspace_id = any (${workspaceIds}::uuid[])
      and (state in ('waiting', 'running') or finished_at > ${since}::timestamptz)`);
}

/** Claims the file that has waited longest, for this process until `until`. */
export async function claimImportFile(
  db: Queryable,
  processId: string,
  now: Date,
  until: Date,
): Promise<ImportFileRow | undefined> {
  const [file] = await db.query<ImportFileRow>(sql`
    update import_file f set state = 'running', claimed_by = ${processId}, available_at = ${until}, run_at = ${now},
      updated_at = ${now}
    from (
      select workspace_id, id from import_file where available_at <= ${now}
      order by available_at limit 1 for update skip locked
    ) as due
    where f.workspace_id = due.workspace_id and f.id = due.id
    returning ${COLUMNS}`);
  return file;
}

/** Whether another file waits for a worker. */
export async function isImportFileDue(db: Queryable, now: Date): Promise<boolean> {
  const rows = await db.query(sql`select 1 from import_file where available_at <= ${now} limit 1`);
  return rows.length > 0;
}

/** Stores which import a claimed file became, and after how many rows this run begins. */
export async function linkImportFile(
  db: Queryable,
  key: FileKey,
  link: { readonly importId: string; readonly rows: number },
): Promise<void> {
  await db.query(sql`
    update import_file set import_id = ${link.importId}, run_rows = ${link.rows}
    where workspace_id = ${key.workspaceId} and id = ${key.id}`);
}

/** Stores how far the process with the file is, and extends its claim. False when the process no longer has it. */
export async function moveImportFile(
  db: Queryable,
  key: FileKey,
  step: {
    readonly processId: string;
    readonly bytesRead: number;
    readonly at: Date;
    readonly until: Date;
  },
): Promise<boolean> {
  const rows = await db.query(sql`
    update import_file set bytes_read = ${step.bytesRead}, tries = 0, available_at = ${step.until},
      updated_at = ${step.at}
    where workspace_id = ${key.workspaceId} and id = ${key.id} and state = 'running' and claimed_by = ${step.processId}
    returning 1`);
  return rows.length > 0;
}

/** Gives a file back; it waits until `from`. */
export async function releaseImportFile(
  db: Queryable,
  key: FileKey,
  given: {
    readonly processId: string;
    readonly at: Date;
    readonly from: Date;
    readonly tries: number;
  },
): Promise<void> {
  await db.query(sql`
    update import_file set state = 'waiting', claimed_by = null, available_at = ${given.from}, run_at = null,
      tries = ${given.tries}, updated_at = ${given.at}
    where workspace_id = ${key.workspaceId} and id = ${key.id} and state = 'running'
      and claimed_by = ${given.processId}`);
}

/** Frees the files of a process that is gone. Gives how many. */
export async function releaseFilesOf(tx: Tx, processId: string, now: Date): Promise<number> {
  const rows = await tx.query(sql`
    update import_file set state = 'waiting', claimed_by = null, available_at = ${now}, run_at = null
    where available_at > ${now} and state = 'running' and claimed_by = ${processId} returning 1`);
  return rows.length;
}

/** Deletes files from before `unused` that nobody started, and files that ended before `ended`. Gives how many. */
export function deleteOldImportFiles(
  db: Queryable,
  before: { readonly unused: Date; readonly ended: Date },
  limit: number,
): Promise<number> {
  const where = sql`(o.state = 'uploaded' or o.finished_at < ${before.ended})`;
  return deleteOldRows(db, sql`import_file`, { before: before.unused, where, limit });
}
