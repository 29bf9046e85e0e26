import { write } from "../../write.ts";
import type { Context } from "../../context.ts";
import { audit } from "../../workspaces/write-audit.ts";
import type { Db } from "../../db/database.ts";
import { AppError } from "../../errors.ts";
import { isId } from "../../lib/ids.ts";
import type { InspectedFile } from "./inspect-import.ts";
import { storeBatch, type BatchRules } from "./import-batch.ts";
import { NOTHING_DONE, type ImportReporter, type ImportResult } from "./import-report.ts";
import type { ImportRow } from "./import-rows.ts";
import { storeRows, type End, type FileReadOptions } from "./store-rows.ts";
import {
  finishImport,
  insertImport,
  lockImport,
  moveImport,
  selectImports,
  selectOpenImport,
  type ContactImport,
} from "./import-store.ts";
import type { MatchBy } from "../../wire/words.ts";

export type { ContactImport } from "./import-store.ts";

/** A file that can be read again from its start. */
export interface ImportFile extends InspectedFile {
  readonly name: string;
  open(): AsyncIterable<Uint8Array>;
}

export interface ImportOptions extends Pick<
  FileReadOptions,
  "format" | "delimiter" | "map" | "country"
> {
  readonly match?: MatchBy;
  readonly allowOptIn?: boolean;
}

/**
 * Imports contacts from a file as `importContacts` does, and stores its progress in a row that moves in the
 * transaction of each batch. Called again with the same file (by its bytes) and options after an interruption at
 * any point, it goes on with the first row that was not imported: nothing is imported twice. A finished import
 * starts anew and changes nothing. Refused rows are kept (`importRefusals`). When two processes run one import,
 * the later one throws CONFLICT. Throws VALIDATION_FAILED when the header is not understood; nothing is stored
 * then.
 */
export const runImport = write(
  "contact.import",
  async (
    actor,
    context: Pick<Context, "db" | "ids" | "clock" | "wake" | "sealer" | "background">,
    workspaceId: string,
    file: ImportFile,
    options: ImportOptions,
    reporter: Partial<ImportReporter> = {},
  ): Promise<ContactImport & { readonly resumedAt: number }> => {
    const rules: BatchRules = {
      match: options.match ?? "any",
      allowOptIn: options.allowOptIn ?? false,
    };
    const { format, delimiter, map, country } = options;
    const reading = { format, encoding: file.encoding, delimiter, map };
    const asked = JSON.stringify({ ...reading, ...rules, country });
    const open = await selectOpenImport(context.db, workspaceId, file.sha256, asked);
    const id = open?.id ?? context.ids.next();
    const { rows, created, updated, unchanged, refused, phonesCompleted, emailsLeftOut } =
      open ?? NOTHING_DONE;
    const sums = { rows, created, updated, unchanged, refused, phonesCompleted, emailsLeftOut };
    const resumedAt = sums.rows;
    await reporter.onStart?.({ importId: id, resumedAt });
    let header: readonly string[] | null = null;
    let begun = open !== undefined;

    const store = async (
      db: Db,
      batch: readonly ImportRow[],
      end: End,
    ): Promise<ImportResult[]> => {
      const results = await db.transaction(async (tx) => {
        const at = context.clock.now();
        if (!begun) {
          const { name: fileName, sha256, size } = file;
          const row = { workspaceId, id, fileName, sha256, size, options: asked, header, at };
          if (!(await insertImport(tx, row))) throw inProgress();
          await audit(actor, context, tx, workspaceId, {
            action: "contacts.import_started",
            subject: id,
            facts: { size },
          });
        } else if (!(await lockImport(tx, workspaceId, id, sums.rows))) throw inProgress();
        const done = await storeBatch(context, tx, workspaceId, batch, rules, { id, actor });
        await moveImport(tx, workspaceId, id, sums.rows, done, at);
        if (end) await finishImport(tx, workspaceId, id, end.stoppedAt, at);
        return done;
      });
      begun = true;
      return results;
    };
    const onHeader = (columns: readonly string[]) => void (header = columns);
    const reads = { ...reading, country, skip: resumedAt, onHeader };
    await storeRows(context, workspaceId, file.open(), reads, reporter, sums, store);
    const [done] = await selectImports(context.db, workspaceId, id, 1);
    if (!done) throw new Error("the import's row is gone");
    return { ...done, resumedAt };
  },
);

const inProgress = (): AppError =>
  new AppError("CONFLICT", { explanation: "another process goes on with this import" });

/** An import of the workspace, or null. */
export async function findImport(
  context: Pick<Context, "db">,
  workspaceId: string,
  id: string,
): Promise<ContactImport | null> {
  const [found] = isId(id) ? await selectImports(context.db, workspaceId, id, 1) : [];
  return found ?? null;
}

/** The imports of a workspace, newest first. */
export function listImports(
  context: Pick<Context, "db">,
  workspaceId: string,
): Promise<ContactImport[]> {
  return selectImports(context.db, workspaceId, null, 100);
}
