import { refusalSums } from "../contacts/import/import-refusals.ts";
import type { RefusalSum } from "../contacts/import/refusal-kind.ts";
import { findImport, listImports, type ContactImport } from "../contacts/import/run-import.ts";
import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";
import { isId, MAX_ID } from "../lib/ids.ts";
import { cursorOf, cutPage } from "../lib/cut-page.ts";
import { importOperations } from "../operations/imports.ts";
import { PAGE_ITEMS } from "../operations/page.ts";
import { perform } from "../write.ts";
import type { ImportFileRow } from "./import-file.ts";
import { presentRun } from "./present-import.ts";
import { selectImportFiles } from "./import-file-store.ts";

/** An import as people see it: of an uploaded file or of the command line. Has both records when there are both. */
export interface ImportRun {
  readonly file: ImportFileRow | null;
  readonly sums: ContactImport | null;
}

const LISTED = 100;

/** The newest hundred imports of a workspace, from the dashboard and the command line, newest first. */
export async function listImportRuns(
  context: Pick<Context, "db">,
  workspaceId: string,
): Promise<ImportRun[]> {
  const [files, imports] = await Promise.all([
    selectImportFiles(context.db, workspaceId, null, LISTED),
    listImports(context, workspaceId),
  ]);
  const byId = new Map(imports.map((one) => [one.id, one]));
  const linked = new Set(files.map(({ importId }) => importId));
  const runs: ImportRun[] = [
    ...files.map((file) => ({ file, sums: byId.get(file.importId ?? "") ?? null })),
    ...imports.filter(({ id }) => !linked.has(id)).map((sums) => ({ file: null, sums })),
  ];
  return runs.toSorted((a, b) => (idOf(a) < idOf(b) ? 1 : -1)).slice(0, LISTED);
}

/** A page of the same. Throws VALIDATION_FAILED for a cursor that no page gave. */
export const listImportsByPage = perform(
  importOperations.listImports,
  async (_actor, context: Pick<Context, "db">, workspaceId, { cursor, limit = PAGE_ITEMS }) => {
    const runs = (await listImportRuns(context, workspaceId)).map(presentRun);
    const before = cursorOf(cursor) ?? MAX_ID;
    const rest = runs.filter(({ id }) => id < before);
    const { items, last } = cutPage(rest, Math.min(limit, LISTED));
    return { items, nextCursor: last?.id ?? null };
  },
);

/** One import with the reasons of its refused rows. Throws NOT_FOUND. */
export const readImportReport = perform(
  importOperations.readImport,
  async (_actor, context: Pick<Context, "db">, workspaceId, { id }) => {
    const { refusals, ...run } = await findImportRun(context, workspaceId, id);
    return { ...presentRun(run), refusals };
  },
);

/** Ids rise with time: the newest import has the highest. */
const idOf = ({ file, sums }: ImportRun): string => file?.id ?? sums?.id ?? "";

/** One import, by the id of its file, or by its own id when it has no file. Throws NOT_FOUND. */
export async function findImportRun(
  context: Pick<Context, "db">,
  workspaceId: string,
  id: string,
): Promise<ImportRun & { readonly refusals: readonly RefusalSum[] }> {
  const [file = null] = isId(id) ? await selectImportFiles(context.db, workspaceId, id, 1) : [];
  const importId = file ? file.importId : id;
  const sums = importId === null ? null : await findImport(context, workspaceId, importId);
  if (!file && !sums) throw new AppError("NOT_FOUND", { explanation: "there is no such import" });
  const refused = (sums?.refused ?? 0) > 0;
  const refusals = sums && refused ? await refusalSums(context, workspaceId, sums.id) : [];
  return { file, sums, refusals };
}
