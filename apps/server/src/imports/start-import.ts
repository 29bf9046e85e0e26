import { checkedCountry } from "../workspaces/country.ts";
import { findImport } from "../contacts/import/run-import.ts";
import type { Context } from "../context.ts";
import { AppError, notInState } from "../errors.ts";
import { retainUpload, discardUpload } from "../media/retain-upload.ts";
import { audit } from "../workspaces/write-audit.ts";
import { findWorkspace } from "../workspaces/find-workspace.ts";
import { importOperations } from "../operations/imports.ts";
import { perform } from "../write.ts";
import type { FileOptions, ImportFileRow } from "./import-file.ts";
import { endImportFile, startImportFile } from "./import-file-store.ts";
import { findImportFile } from "./open-file.ts";
import { presentRun } from "./present-import.ts";

/** A person's choices for a file. Missing ones follow the file's look; the country follows the workspace. */
export interface ImportWish {
  readonly map?: Readonly<Record<string, string>> | undefined;
  readonly match?: FileOptions["match"] | undefined;
  readonly allowOptIn?: boolean | undefined;
  readonly encoding?: FileOptions["encoding"] | undefined;
  readonly delimiter?: FileOptions["delimiter"];
  /** Null: local numbers get no country code. */
  readonly country?: string | null | undefined;
}

/** The options of an import as the command line would give them. Throws VALIDATION_FAILED for an invalid country. */
export async function fileOptions(
  context: Pick<Context, "db">,
  file: Pick<ImportFileRow, "workspaceId" | "format" | "encoding">,
  wish: ImportWish,
): Promise<FileOptions> {
  const given =
    wish.country === undefined
      ? ((await findWorkspace(context, file.workspaceId))?.country ?? null)
      : wish.country;
  return {
    format: file.format,
    encoding: wish.encoding ?? file.encoding,
    match: wish.match ?? "any",
    allowOptIn: wish.allowOptIn ?? false,
    ...(wish.delimiter !== undefined && { delimiter: wish.delimiter }),
    ...(wish.map !== undefined && { map: wish.map }),
    ...(given !== null && { country: checkedCountry(given) }),
  };
}

/**
 * Marks an uploaded file as waiting for the workers. Throws NOT_FOUND (also when its bytes are gone),
 * NOT_ALLOWED_IN_STATE when it was started before, VALIDATION_FAILED.
 */
export const startImport = perform(
  importOperations.startImport,
  async (
    actor,
    context: Pick<Context, "db" | "ids" | "clock" | "wake">,
    workspaceId,
    { id, ...wish },
    { keep },
  ) => {
    const before = await findImportFile(context, workspaceId, id);
    const options = await fileOptions(context, before, wish);
    return context.db.transaction(async (tx) => {
      const file = await startImportFile(tx, before, options, context.clock.now());
      if (!file)
        throw notInState(before.state, ["uploaded"], `the file is ${before.state}`, "state");
      if (!(await retainUpload(tx, { workspaceId, id: file.mediaId })))
        throw new AppError("NOT_FOUND", { explanation: "the file is gone: choose it again" });
      await audit(actor, context, tx, workspaceId, {
        action: "import_file.started",
        subject: id,
        facts: { size: file.fileSize },
      });
      tx.afterCommit(() => context.wake.nudge("housekeeping"));
      return keep(tx, presentRun({ file, sums: null }));
    });
  },
);

/**
 * Cancels an import, or removes a file that was not started. A running batch is finished first, and imported rows
 * stay. Throws NOT_FOUND, NOT_ALLOWED_IN_STATE when it has ended.
 */
export const cancelImport = perform(
  importOperations.cancelImport,
  async (actor, context: Pick<Context, "db" | "ids" | "clock">, workspaceId, { id }, { keep }) => {
    const before = await findImportFile(context, workspaceId, id);
    return context.db.transaction(async (tx) => {
      const at = context.clock.now();
      const from = ["uploaded", "waiting", "running"] as const;
      const file = await endImportFile(tx, before, { from, state: "cancelled", reason: null, at });
      if (!file) throw notInState(before.state, from, `the import is ${before.state}`, "state");
      await discardUpload(tx, { workspaceId, id: file.mediaId }, at);
      await audit(actor, context, tx, workspaceId, {
        action: "import_file.cancelled",
        subject: id,
      });
      const { importId } = file;
      const sums = importId === null ? null : await findImport(context, workspaceId, importId);
      return keep(tx, presentRun({ file, sums }));
    });
  },
);
