import { actorName } from "../actor.ts";
import { inspectImport } from "../contacts/import/inspect-import.ts";
import type { Context } from "../context.ts";
import { AppError, invalid } from "../errors.ts";
import { openMedia } from "../media/open-media.ts";
import { discardUpload } from "../media/retain-upload.ts";
import { storeUpload } from "../media/upload-media.ts";
import { write } from "../write.ts";
import { formatOfName, type ImportFileRow } from "./import-file.ts";
import { insertImportFile } from "./import-file-store.ts";

type ImportUploadContext = Pick<Context, "db" | "clock" | "ids" | "config" | "providerHttp">;

/**
 * Stores a file of contacts, so that any process can import it. Its bytes are removed when the import has ended,
 * or after a day when nobody started it. It is read once to detect its encoding. Throws VALIDATION_FAILED for an
 * unknown file ending, an empty file, a workbook and an archive; otherwise as `storeUpload`.
 */
export const uploadImport = write(
  "import_file.upload",
  async (
    actor,
    context: ImportUploadContext,
    workspaceId: string,
    given: { readonly fileName: string; readonly body: AsyncIterable<Uint8Array> },
  ): Promise<ImportFileRow> => {
    const format = formatOfName(given.fileName);
    if (format === null && !/\.(xlsx?|ods|numbers|zip|gz)$/i.test(given.fileName))
      throw invalid("name", "must end in .csv, .tsv, .txt or .jsonl");
    const media = await storeUpload(context, workspaceId, given, actorName(actor));
    try {
      const body = await openMedia(context, media);
      if (body === null) throw new AppError("NOT_FOUND");
      const { sha256, size, encoding } = await inspectImport(body);
      if (format === null) throw invalid("file", "is a workbook or an archive: save it as CSV");
      return await insertImportFile(context.db, {
        workspaceId,
        id: context.ids.next(),
        mediaId: media.id,
        fileName: media.fileName ?? given.fileName,
        fileSize: size,
        sha256,
        format,
        encoding,
        author: actorName(actor),
        createdAt: context.clock.now(),
      });
    } catch (error) {
      await context.db.transaction((tx) => discardUpload(tx, media, context.clock.now()));
      throw error;
    }
  },
);
