import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";
import { isId } from "../lib/ids.ts";
import { findMedia, openMedia } from "../media/open-media.ts";
import { GONE, type ImportFileRow } from "./import-file.ts";
import { selectImportFiles } from "./import-file-store.ts";

/** A file of the workspace. Throws NOT_FOUND. */
export async function findImportFile(
  context: Pick<Context, "db">,
  workspaceId: string,
  id: string,
): Promise<ImportFileRow> {
  const [file] = isId(id) ? await selectImportFiles(context.db, workspaceId, id, 1) : [];
  if (!file) throw new AppError("NOT_FOUND", { explanation: "there is no such file" });
  return file;
}

/** The bytes of a file, from its start. Throws NOT_FOUND when they are gone, `StorageFault` when the store fails. */
export async function* readImportFile(
  context: Pick<Context, "db" | "config" | "providerHttp" | "clock">,
  file: Pick<ImportFileRow, "workspaceId" | "mediaId">,
): AsyncGenerator<Uint8Array> {
  const media = await findMedia(context, file.workspaceId, file.mediaId);
  const body = media?.state === "stored" ? await openMedia(context, media) : null;
  if (body === null) throw new AppError("NOT_FOUND", { explanation: GONE });
  yield* body;
}
