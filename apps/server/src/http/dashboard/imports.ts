import { Readable } from "node:stream";
import type { FastifyInstance } from "fastify";
import { columnFaultIn } from "../../contacts/import/column-fault-in.ts";
import { importRefusals } from "../../contacts/import/import-refusals.ts";
import { refusalKind } from "../../contacts/import/refusal-kind.ts";
import type { TriedImport, TriedRow } from "../../contacts/import/try-import.ts";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { GAVE_UP, GONE, NOT_ALLOWED } from "../../imports/import-file.ts";
import { findImportRun, listImportRuns, type ImportRun } from "../../imports/list-import-runs.ts";
import { lookAtImport } from "../../imports/look-at-import.ts";
import { cancelImport, startImport } from "../../imports/start-import.ts";
import { uploadImport } from "../../imports/upload-import.ts";
import { findWorkspace } from "../../workspaces/find-workspace.ts";
import { contentDisposition } from "../media/content-disposition.ts";
import {
  importUpload,
  refusedRows,
  type ImportJson,
  type imports,
  type LookJson,
} from "./contract/imports.ts";
import type { Handlers } from "./handlers.ts";
import { serveMember, serveUpload, withMark } from "./serve-member.ts";

/** Contacts from a file: examined, started, watched. */
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

  async readImport(context, { caller, params }) {
    const { refusals, ...run } = await findImportRun(context, caller.workspaceId, params.id);
    return { import: presentRun(run), refusals };
  },

  async lookAtImport(context, { caller, params, body }) {
    const look = await lookAtImport(context, caller.workspaceId, params.id, body);
    return {
      import: presentRun({ file: look.file, sums: null }),
      encoding: look.options.encoding,
      country: look.options.country ?? null,
      columns: look.head.columns,
      headRows: look.head.rows,
      fault: look.fault && { ...look.fault, params: { ...look.fault.params } },
      tried: look.tried && presentTried(look.tried),
    };
  },

  async startImport(context, { caller, params, body }) {
    const file = await startImport(caller.actor, context, caller.workspaceId, params.id, body);
    return presentRun({ file, sums: null });
  },

  async cancelImport(context, { caller, params }) {
    await cancelImport(caller.actor, context, caller.workspaceId, params.id);
    return presentRun(await findImportRun(context, caller.workspaceId, params.id));
  },
};

const presentTried = ({ first, ...sums }: TriedImport): LookJson["tried"] => ({
  ...sums,
  first: first.map(presentRow),
});

function presentRow({
  contact,
  done,
  reason,
  ...row
}: TriedRow): NonNullable<LookJson["tried"]>["first"][number] {
  return {
    ...row,
    reason,
    kind: reason === null ? null : refusalKind(reason),
    attribute: /^attribute\.(.+?): /.exec(reason ?? "")?.[1] ?? null,
    name: contact?.name ?? null,
    phone: contact?.phone ?? null,
    email: contact?.email ?? null,
    tags: contact?.tags ?? [],
    phoneCompleted: done.includes("phone_completed"),
    emailLeftOut: done.includes("email_left_out"),
  };
}

/** The reasons with a code of their own. */
const CODES: ReadonlyMap<string, string> = new Map([
  [GAVE_UP, "gave_up"],
  [GONE, "gone"],
  [NOT_ALLOWED, "not_allowed"],
]);

/** Both records of a run as one. The rows come from the import's own record, which moves with each batch. */
function presentRun({ file, sums }: ImportRun): ImportJson {
  const commandState = sums?.state === "running" ? "broken_off" : (sums?.state ?? "done");
  const state = file?.state ?? commandState;
  const [, memberId = null] = /^member:(.+)$/.exec(file?.author ?? "") ?? [];
  return {
    id: file?.id ?? sums?.id ?? "",
    fileName: file?.fileName ?? sums?.fileName ?? "",
    fileSize: file?.fileSize ?? sums?.fileSize ?? 0,
    state,
    byMemberId: memberId,
    rows: sums?.rows ?? 0,
    created: sums?.created ?? 0,
    updated: sums?.updated ?? 0,
    unchanged: sums?.unchanged ?? 0,
    refused: sums?.refused ?? 0,
    phonesCompleted: sums?.phonesCompleted ?? 0,
    emailsLeftOut: sums?.emailsLeftOut ?? 0,
    ...paceOf({ file, sums }),
    stoppedAt: sums?.stoppedAt ?? null,
    failure: file?.reason == null ? null : failureOf(file.reason),
    hasRefusedRows: (sums?.refused ?? 0) > 0,
    createdAt: file?.createdAt.toISOString() ?? sums?.createdAt ?? "",
    startedAt: sums?.createdAt ?? null,
    finishedAt: file?.finishedAt?.toISOString() ?? sums?.finishedAt ?? null,
  };
}

/** Why a file failed, with the code that the page has words for. */
function failureOf(reason: string): NonNullable<ImportJson["failure"]> {
  const { code = "", params } = columnFaultIn(reason) ?? {};
  return { message: reason, code: CODES.get(reason) ?? code, params: { ...params } };
}

/** How much of the file is read, how fast, and how long the rest takes at that pace. */
function paceOf({
  file,
  sums,
}: ImportRun): Pick<ImportJson, "part" | "rowsPerSecond" | "secondsLeft"> {
  if (!file || !sums) return { part: file ? 0 : 1, rowsPerSecond: null, secondsLeft: null };
  const part = Math.min(1, file.bytesRead / Math.max(1, file.fileSize));
  const none = { part, rowsPerSecond: null, secondsLeft: null };
  if (file.state !== "running" || file.runAt === null) return none;
  const seconds = (file.updatedAt.getTime() - file.runAt.getTime()) / 1_000;
  const rate = seconds > 0 ? (sums.rows - file.runRows) / seconds : 0;
  if (rate <= 0 || part === 0) return none;
  const left = (sums.rows / part - sums.rows) / rate;
  return { part, rowsPerSecond: Math.round(rate), secondsLeft: Math.ceil(left) };
}

/** Serves uploads of contacts. */
export function registerImportUploads(fastify: FastifyInstance, context: Context): void {
  serveUpload(fastify, context, importUpload, async ({ caller, query }, body) => {
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
