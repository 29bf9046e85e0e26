import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { isId } from "../../lib/ids.ts";
import { csvLine } from "../record/csv-cell.ts";
import { parseJson } from "../../lib/parse-json.ts";
import type { ImportFormat } from "./import-rows.ts";
import { RefusalSums, type RefusalSum } from "./refusal-kind.ts";
import {
  deleteOldImports,
  deleteOldRefusals,
  selectImports,
  selectRefusalLines,
  selectRefusalReasons,
  selectRefusals,
  type StoredRefusal,
} from "./import-store.ts";

const PAGE = 1_000;
const KEPT_MS = 30 * 86_400_000;
/** As long as changes of contacts name the import they came with. */
const SUMS_KEPT_MS = 365 * 86_400_000;
const ADDED = ["import line", "import reason"] as const;

type Refusal = Pick<StoredRefusal, "line" | "reason" | "record">;

/** How refused rows are written so that they can be mended and imported again: as the file was. */
export interface RefusalWriter {
  /** Before the first row; empty for JSON Lines. */
  header(columns: readonly string[] | null): string;
  line(columns: readonly string[] | null, refusal: Refusal): string;
}

// The columns or members that are added are passed over by an import.
export const REFUSAL_WRITERS = {
  csv: {
    header: (columns) => csvLine([...ownColumns(columns), ...ADDED]),
    line(columns, refusal) {
      const width = ownColumns(columns).length;
      const tooMany = refusal.record.length > (columns?.length ?? 0);
      const record = tooMany ? refusal.record : refusal.record.slice(0, width);
      // A row with too many cells keeps them all in the last column, where a person can see what went wrong.
      const cells = Array.from({ length: width }, (_, index) =>
        index === width - 1 ? record.slice(index).join(",") : (record[index] ?? ""),
      );
      return csvLine([...cells, String(refusal.line), refusal.reason]);
    },
  },
  jsonl: {
    header: () => "",
    line(_columns, { line, reason, record: [text = ""] }) {
      // What is no JSON can stand in a file of it as text only.
      const broken = text === "" ? "" : `"import text":${JSON.stringify(text)}`;
      const members = membersOf(text.replace(ADDED_BEFORE, "$1}")) ?? broken;
      const added = JSON.stringify({ [ADDED[0]]: line, [ADDED[1]]: reason }).slice(1, -1);
      return `{${[members, added].filter((part) => part !== "").join(",")}}\n`;
    },
  },
} satisfies Record<ImportFormat, RefusalWriter>;

/** The columns without those that we added when the file's rows were refused the last time. */
function ownColumns(columns: readonly string[] | null): readonly string[] {
  const own = columns ?? [];
  const last = own.slice(-ADDED.length).map((name) => name.trim().toLowerCase());
  return ADDED.every((name, index) => name === last[index]) ? own.slice(0, -ADDED.length) : own;
}

/** What we added when the line was refused the last time, as we or Python write it. */
const ADDED_BEFORE = /(\{|),? ?"import line": ?\d+, ?"import reason": ?"(?:[^"\\]|\\.)*"\}$/;

/** What stands between the braces of an object, sign for sign: written anew, numbers and names that are there twice would be lost. */
function membersOf(text: string): string | null {
  try {
    const value = parseJson(text);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject ? text.slice(1, -1).trim() : null;
  } catch {
    return null;
  }
}

/**
 * What an import refused, as lines of a file of the same kind: the columns or members of each row, then the line and the
 * reason, so that it can be mended and imported again. Kept for thirty days. Throws NOT_FOUND.
 */
export async function* importRefusals(
  context: Pick<Context, "db">,
  workspaceId: string,
  importId: string,
): AsyncGenerator<string> {
  const [found] = isId(importId) ? await selectImports(context.db, workspaceId, importId, 1) : [];
  if (!found) throw new AppError("NOT_FOUND", { explanation: `there is no import ${importId}` });
  const { header, options } = found;
  const writer = REFUSAL_WRITERS[options.format];
  yield writer.header(header);
  for (let after = -1; ;) {
    const rows = await selectRefusals(context.db, workspaceId, importId, after, PAGE);
    for (const row of rows) {
      yield writer.line(header, row);
      after = row.position;
    }
    if (rows.length < PAGE) return;
  }
}

/** Different reasons that a summary names; a file with more is broken in a way that its first rows tell. */
const MAX_REASONS = 50;

/** Why an import refused rows and how many for each reason, the most frequent first; at most fifty reasons. */
export function refusalReasons(
  context: Pick<Context, "db">,
  workspaceId: string,
  importId: string,
): Promise<{ reason: string; rows: number }[]> {
  return selectRefusalReasons(context.db, workspaceId, importId, MAX_REASONS);
}

/** Refusals that are counted by kind, so that it can be asked again and again while an import runs. */
const MOST_COUNTED = 50_000;

/** What an import refused, by kind, with the first lines of each. Of the first 50,000 refused rows. */
export async function refusalSums(
  context: Pick<Context, "db">,
  workspaceId: string,
  importId: string,
): Promise<RefusalSum[]> {
  const sums = new RefusalSums();
  for (const one of await selectRefusalLines(context.db, workspaceId, importId, MOST_COUNTED))
    sums.add(one);
  return sums.list();
}

/** Removes refused rows after thirty days: they are people's data that nobody took in. Gives how many went. */
export function pruneImportRefusals(context: Pick<Context, "db" | "clock">): Promise<number> {
  const before = new Date(context.clock.now().getTime() - KEPT_MS);
  return deleteOldRefusals(context.db, before, PAGE);
}

/** Removes imports a year after their last row, finished or broken off; gives how many went. */
export function pruneImports(context: Pick<Context, "db" | "clock">): Promise<number> {
  const before = new Date(context.clock.now().getTime() - SUMS_KEPT_MS);
  return deleteOldImports(context.db, before, PAGE);
}
