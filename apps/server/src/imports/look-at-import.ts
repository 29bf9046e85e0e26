import { attributeDefinitions } from "../contacts/attributes/define-attribute.ts";
import { readFileHead, type FileHead } from "../contacts/import/propose-columns.ts";
import { tryImport, type TriedImport } from "../contacts/import/try-import.ts";
import type { Context } from "../context.ts";
import { AppError, invalid, notInState, type FaultReason } from "../errors.ts";
import { UnreadableFile } from "../contacts/import/decode-text.ts";
import { importOperations } from "../operations/imports.ts";
import { perform } from "../write.ts";
import type { FileOptions, ImportFileRow } from "./import-file.ts";
import { findImportFile, readImportFile } from "./open-file.ts";
import { presentLook } from "./present-import.ts";
import { fileOptions, type ImportWish } from "./start-import.ts";

/** What a file is, and what an import with these options would do. */
export interface LookAtImport {
  readonly file: ImportFileRow;
  readonly options: FileOptions;
  readonly head: FileHead;
  /** Null when the mapping is invalid (`fault`). */
  readonly tried: TriedImport | null;
  /** The fault of the mapping. */
  readonly fault: (FaultReason & { readonly message: string }) | null;
}

/**
 * Examines an uploaded file before it is started: its columns with a proposed field for each, and what an import
 * would do by the given mapping, or else by the proposed one. Stores nothing. Throws NOT_FOUND,
 * NOT_ALLOWED_IN_STATE when it was started, VALIDATION_FAILED for an invalid country and for a file whose first rows
 * cannot be read.
 */
export const lookAtImport = perform(
  importOperations.lookAtImport,
  async (_actor, context: LookContext, workspaceId, { id, ...wish }, { keep }) => {
    const look = presentLook(await examined(context, workspaceId, id, wish));
    return context.db.transaction((tx) => keep(tx, look));
  },
);

type LookContext = Pick<
  Context,
  "db" | "ids" | "clock" | "wake" | "sealer" | "config" | "providerHttp"
>;

async function examined(
  context: LookContext,
  workspaceId: string,
  id: string,
  wish: ImportWish,
): Promise<LookAtImport> {
  const file = await findImportFile(context, workspaceId, id);
  if (file.state !== "uploaded")
    throw notInState(file.state, ["uploaded"], `the file is ${file.state}`, "state");
  const options = await fileOptions(context, file, wish);
  const attributes = await attributeDefinitions(context, workspaceId);
  const head = await readFileHead(readImportFile(context, file), options, attributes).catch(
    refuseUnreadable,
  );
  const map =
    wish.map ??
    Object.fromEntries(
      head.columns.filter(({ name }) => name !== "").map(({ name, field }) => [name, field]),
    );
  const asked = { ...options, map };
  try {
    const tried = await tryImport(context, workspaceId, readImportFile(context, file), asked);
    return { file, options: asked, head, tried, fault: null };
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "VALIDATION_FAILED") throw error;
    const { code = "", params = {} } = error.facts.details?.[0] ?? {};
    const fault = { message: error.message, code, params };
    return { file, options: asked, head, tried: null, fault };
  }
}

function refuseUnreadable(error: unknown): never {
  if (!(error instanceof UnreadableFile)) throw error;
  const { message, line } = error;
  throw invalid("file", `cannot be read in line ${line}: ${message}`, { code: "file.unreadable" });
}
