import { columnFaultIn } from "../contacts/import/column-fault-in.ts";
import { refusalKind } from "../contacts/import/refusal-kind.ts";
import type { TriedImport, TriedRow } from "../contacts/import/try-import.ts";
import type { ImportJson, LookJson } from "../wire/import.ts";
import { GAVE_UP, GONE, KEY_NOT_ALLOWED, NOT_ALLOWED } from "./import-file.ts";
import type { ImportRun } from "./list-import-runs.ts";
import type { LookAtImport } from "./look-at-import.ts";

/** What an import would do, as the doors show it. */
export const presentLook = (look: LookAtImport): LookJson => ({
  import: presentRun({ file: look.file, sums: null }),
  encoding: look.options.encoding,
  country: look.options.country ?? null,
  columns: look.head.columns,
  headRows: look.head.rows,
  fault: look.fault && { ...look.fault, params: { ...look.fault.params } },
  tried: look.tried && presentTried(look.tried),
});

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
  [KEY_NOT_ALLOWED, "not_allowed"],
]);

/** Both records of a run as one. The rows come from the import's own record, which moves with each batch. */
export function presentRun({ file, sums }: ImportRun): ImportJson {
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
