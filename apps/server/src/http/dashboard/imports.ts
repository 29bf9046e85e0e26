import { Readable } from "node:stream";
import type { FastifyInstance } from "fastify";
import { importRefusals } from "../../contacts/import/import-refusals.ts";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { findImportRun, listImportRuns } from "../../imports/list-import-runs.ts";
import { presentRun } from "../../imports/present-import.ts";
import { uploadImport } from "../../imports/upload-import.ts";
import { findWorkspace } from "../../workspaces/find-workspace.ts";
import { contentDisposition } from "../media/content-disposition.ts";
import { importUpload, refusedRows, type imports } from "./contract/imports.ts";
import type { Handlers } from "./handlers.ts";
import { serveMember, serveMemberUpload, withMark } from "./serve-member.ts";

/** Contacts from a file, listed. */
export const importHandlers: Handlers<typeof imports> = {
  async listImports(context, { caller: { workspaceId } }) {
    const [runs, workspace] = await Promise.all([
      listImportRuns(context, workspaceId),
      findWorkspace(context, workspaceId),
    ]);
    return {
      imports: runs.map(presentRun),
      maxBytes: context.config.mediaMaxBytes,
      country: workspace?.country ?? null,
    };
  },
};

/** Serves uploads of contacts. */
export function registerImportUploads(fastify: FastifyInstance, context: Context): void {
  serveMemberUpload(fastify, context, importUpload, async ({ caller, query }, body) => {
    const given = { fileName: String(query["name"]), body };
    const file = await uploadImport(caller.actor, context, caller.workspaceId, given);
    return presentRun({ file, sums: null });
  });
}

/** Serves the refused rows of an import as a file. */
export function registerRefusedRows(fastify: FastifyInstance, context: Context): void {
  serveMember(fastify, context, refusedRows, async ({ caller, params, query, reply }) => {
    const { file, sums } = await findImportRun(context, caller.workspaceId, params["id"] ?? "");
    if (!sums) throw new AppError("NOT_FOUND");
    const ending = sums.options.format;
    const name = (file?.fileName ?? sums.fileName).replace(/\.\w+$/, "");
    const language = query["lang"] === "ar" ? "ar" : "en";
    const lines = importRefusals(caller.actor, context, caller.workspaceId, sums.id, language);
    return reply
      .type(ending === "csv" ? "text/csv; charset=utf-8" : "application/x-ndjson; charset=utf-8")
      .header("content-disposition", contentDisposition(false, `${name} refused.${ending}`))
      .send(Readable.from(ending === "csv" ? withMark(lines) : lines));
  });
}
