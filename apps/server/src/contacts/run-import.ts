import type { Context } from "../context.ts";
import type { Db } from "../db/database.ts";
import { AppError } from "../errors.ts";
import { attributeReader } from "./define-attribute.ts";
import { UnreadableFile } from "./decode-text.ts";
import type { InspectedFile } from "./inspect-import.ts";
import type { Match } from "./import-address-book.ts";
import { storeBatch, type BatchRules } from "./import-batch.ts";
import { addResult, QUIET, type ImportReporter, type ImportResult } from "./import-report.ts";
import { localPhoneReader } from "./local-phone.ts";
import { readImportRows, type ImportRow, type ReadOptions } from "./import-rows.ts";
import {
  finishImport,
  insertImport,
  lockImport,
  moveImport,
  selectImports,
  selectOpenImport,
  type ContactImport,
} from "./import-store.ts";

/** Rows of one transaction; fewer while others are being served. */
const BATCH = 1_000;

/** With the last batch, and where the file could not be read on. */
type End = { readonly stoppedAt: number | null } | null;

/** A file that can be read again from its start. */
export interface ImportFile extends InspectedFile {
  readonly name: string;
  open(): AsyncIterable<Uint8Array>;
}

export interface ImportOptions extends Pick<ReadOptions, "format" | "delimiter" | "map"> {
  readonly match?: Match;
  readonly allowOptIn?: boolean;
  /** Whose code local numbers get (ISO 3166, two letters); undefined: they get none. */
  readonly country?: string | undefined;
}

/**
 * Takes contacts from a file in batches of up to 1,000, giving way to requests, as `importContacts` does, and keeps account of it in a row that moves
 * in the transaction of each batch. Called again with the same file (by its bytes) and options after it broke off, at
 * whatever point, it goes on with the first row that was not taken in: nothing is imported twice. An import that was
 * finished starts anew, and finds everything as it is. Refused rows are kept (`importRefusals`). Two processes on one
 * import: the one that is late throws CONFLICT. Throws VALIDATION_FAILED when the header is not understood;
 * nothing is stored then.
 */
export async function runImport(
  context: Pick<Context, "db" | "ids" | "clock" | "wake" | "sealer" | "background">,
  workspaceId: string,
  file: ImportFile,
  options: ImportOptions,
  reporter: Partial<ImportReporter> = {},
): Promise<ContactImport & { readonly resumedAt: number }> {
  const { onRow, onProgress } = { ...QUIET, ...reporter };
  const rules: BatchRules = {
    match: options.match ?? "any",
    allowOptIn: options.allowOptIn ?? false,
  };
  const { format, delimiter, map, country } = options;
  const reading = { format, encoding: file.encoding, delimiter, map };
  const asked = JSON.stringify({ ...reading, ...rules, country });
  const localPhone = country === undefined ? undefined : await localPhoneReader(country);
  const open = await selectOpenImport(context.db, workspaceId, file.sha256, asked);
  const id = open?.id ?? context.ids.next();
  const sums = {
    rows: open?.rows ?? 0,
    created: open?.created ?? 0,
    updated: open?.updated ?? 0,
    unchanged: open?.unchanged ?? 0,
    refused: open?.refused ?? 0,
    phonesCompleted: open?.phonesCompleted ?? 0,
    emailsLeftOut: open?.emailsLeftOut ?? 0,
  };
  const resumedAt = sums.rows;
  let header: readonly string[] | null = null;
  let begun = open !== undefined;

  const store = async (db: Db, batch: readonly ImportRow[], end: End): Promise<ImportResult[]> =>
    db.transaction(async (tx) => {
      const at = context.clock.now();
      if (!begun) {
        const { name: fileName, sha256, size } = file;
        const row = { workspaceId, id, fileName, sha256, size, options: asked, header, at };
        if (!(await insertImport(tx, row))) throw inProgress();
      } else if (!(await lockImport(tx, workspaceId, id, sums.rows))) throw inProgress();
      const done = await storeBatch(context, tx, workspaceId, batch, rules, id);
      await moveImport(tx, workspaceId, id, sums.rows, done, at);
      if (end) await finishImport(tx, workspaceId, id, end.stoppedAt, at);
      return done;
    });
  const take = async (piece: readonly ImportRow[], end: End): Promise<void> => {
    const results = await context.background.piece((db) => store(db, piece, end));
    begun = true;
    for (const result of results) {
      addResult(sums, result);
      await onRow(result);
    }
    await onProgress({ ...sums, stoppedAt: end?.stoppedAt ?? null });
  };

  let batch: ImportRow[] = [];
  let size = await context.background.size(BATCH);
  let stoppedAt: number | null = null;
  const source = readImportRows(file.open(), {
    ...reading,
    skip: resumedAt,
    localPhone,
    typed: await attributeReader(context, workspaceId),
    onHeader: (columns) => void (header = columns),
  });
  try {
    for await (const row of source) {
      batch.push(row);
      if (batch.length < size) continue;
      await take(batch, null);
      batch = [];
      size = await context.background.size(BATCH);
    }
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    const reason = `${error.message}; the rest was not read`;
    batch.push({ line: error.line, record: [], reason });
    stoppedAt = error.line;
  }
  await take(batch, { stoppedAt });
  const [done] = await selectImports(context.db, workspaceId, id, 1);
  if (!done) throw new Error("the import's row is gone");
  return { ...done, resumedAt };
}

const inProgress = (): AppError =>
  new AppError("CONFLICT", { explanation: "another process goes on with this import" });

/** The imports of a workspace, newest first. */
export function listImports(
  context: Pick<Context, "db">,
  workspaceId: string,
): Promise<ContactImport[]> {
  return selectImports(context.db, workspaceId, null, 100);
}
