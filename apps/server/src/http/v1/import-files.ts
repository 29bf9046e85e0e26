import { Readable } from "node:stream";
import { Type } from "typebox";
import type { FastifyInstance } from "fastify";
import { keyActor } from "../../api-keys/api-key.ts";
import { importRefusals } from "../../contacts/import/import-refusals.ts";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { findImportRun } from "../../imports/list-import-runs.ts";
import { presentRun } from "../../imports/present-import.ts";
import { uploadImport } from "../../imports/upload-import.ts";
import { importExample, ImportJson } from "../../wire/import.ts";
import { NO_NUL } from "../../wire/schema.ts";
import { serveOpen } from "../edge/serve.ts";
import { serveUpload } from "../edge/serve-upload.ts";
import { contentDisposition } from "../media/content-disposition.ts";
import { keyDoor } from "./key-door.ts";
import type { RouteFace } from "./route.ts";

const UploadQuery = Type.Object({
  name: Type.String({
    minLength: 1,
    maxLength: 255,
    ...NO_NUL,
    description: "Its name; the ending says what it is: .csv, .tsv, .txt or .jsonl.",
    examples: ["customers.csv"],
  }),
});

export const importUploadRoute: RouteFace = {
  method: "POST",
  path: "/imports",
  heavy: true,
  scope: "contacts:write",
  operationId: "uploadImport",
  summary: "Upload a file of contacts",
  description:
    "The body is the file. Nothing is imported yet: look at it (`POST /v1/imports/{id}/look`), then start it. A file that is not started within a day is deleted.",
  query: UploadQuery,
  file: {
    mediaType: "text/csv",
    about: "The file: CSV with a header, or one JSON object in each line.",
    example: "name,phone\r\nSara Haddad,+201001234567\r\n",
  },
  success: { status: 201, schema: ImportJson, example: importExample },
  errors: ["VALIDATION_FAILED", "UNSENT_FILES_FULL", "STORAGE_FULL"],
};

export const refusedRowsRoute: RouteFace = {
  method: "GET",
  path: "/imports/{id}/refused",
  scope: "contacts:write",
  operationId: "downloadRefusedRows",
  summary: "The refused rows of an import as a file of its kind",
  description:
    "Each row as it was, with its line and the reason, so that it can be mended and imported again. Kept for thirty days. The audit names the key.",
  success: {
    status: 200,
    schema: { type: "string" },
    mediaType: "text/csv",
    example: "name,phone,import line,import reason\r\n",
  },
  errors: ["NOT_FOUND"],
};

/** Serves what of imports is a file: its upload, and the refused rows. Each in a scope of its own. */
export async function registerImportFiles(
  fastify: FastifyInstance,
  context: Context,
): Promise<void> {
  const door = keyDoor(context);
  await fastify.register(async (scope) =>
    serveUpload(scope, context, door, importUploadRoute, async ({ principal, query }, body) => {
      const given = { fileName: String(query["name"]), body };
      const { workspaceId } = principal;
      const file = await uploadImport(keyActor(principal), context, workspaceId, given);
      return presentRun({ file, sums: null });
    }),
  );
  await fastify.register(async (scope) =>
    serveOpen(scope, context, door, refusedRowsRoute, async ({ principal, params, reply }) => {
      const { workspaceId } = principal;
      const { file, sums } = await findImportRun(context, workspaceId, params["id"] ?? "");
      if (!sums) throw new AppError("NOT_FOUND");
      const { format } = sums.options;
      const name = (file?.fileName ?? sums.fileName).replace(/\.\w+$/, "");
      const rows = importRefusals(keyActor(principal), context, workspaceId, sums.id);
      return reply
        .type(format === "csv" ? "text/csv; charset=utf-8" : "application/x-ndjson; charset=utf-8")
        .header("content-disposition", contentDisposition(false, `${name} refused.${format}`))
        .send(Readable.from(rows));
    }),
  );
}
