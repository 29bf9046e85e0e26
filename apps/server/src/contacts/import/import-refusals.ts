import type { Actor } from "../../actor.ts";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { isId } from "../../lib/ids.ts";
import { recorded } from "../../workspaces/record-export.ts";
import { csvLine } from "../record/csv-cell.ts";
import type { PageLanguage } from "../../lib/language.ts";
import { permitRight } from "../../policies.ts";
import { parseJson } from "../../lib/parse-json.ts";
import type { ImportFormat } from "./import-rows.ts";
import { RefusalSums, type RefusalSum } from "./refusal-kind.ts";
import { refusalWords } from "./refusal-words.ts";
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
/** As long as changes of contacts name the import that made them. */
const SUMS_KEPT_MS = 365 * 86_400_000;
const ADDED = ["import line", "import reason"] as const;

type Refusal = Pick<StoredRefusal, "line" | "reason" | "record">;

/** The form in which refused rows are written, so that they can be corrected and imported again: that of the file. */
export interface RefusalWriter {
  /** The lines before the first row; empty for JSON Lines. */
  header(columns: readonly string[] | null): string;
  line(columns: readonly string[] | null, refusal: Refusal): string;
}

// An import skips the columns or members that are added here.
export const REFUSAL_WRITERS = {
  csv: {
    header: (columns) => csvLine([...ownColumns(columns), ...ADDED]),
    line(columns, refusal) {
      const width = ownColumns(columns).length;
      const tooMany = refusal.record.length > (columns?.length ?? 0);
      const record = tooMany ? refusal.record : refusal.record.slice(0, width);
      // A row with too many cells keeps the surplus in the last column, where a person can see what went wrong.
      const cells = Array.from({ length: width }, (_, index) =>
        index === width - 1 ? record.slice(index).join(",") : (record[index] ?? ""),
      );
      return csvLine([...cells, String(refusal.line), refusal.reason]);
    },
  },
  jsonl: {
    header: () => "",
    line(_columns, { line, reason, record: [text = ""] }) {
      // Invalid JSON can only be text in a JSON file.
      const broken = text === "" ? "" : `"import text":${JSON.stringify(text)}`;
      const members = membersOf(text.replace(ADDED_BEFORE, "$1}")) ?? broken;
      const added = JSON.stringify({ [ADDED[0]]: line, [ADDED[1]]: reason }).slice(1, -1);
      return `{${[members, added].filter((part) => part !== "").join(",")}}\n`;
    },
  },
} satisfies Record<ImportFormat, RefusalWriter>;

/** The columns without those that we added when the file's rows were refused before. */
function ownColumns(columns: readonly string[] | null): readonly string[] {
  const own = columns ?? [];
  const last = own.slice(-ADDED.length).map((name) => name.trim().toLowerCase());
  return ADDED.every((name, index) => name === last[index]) ? own.slice(0, -ADDED.length) : own;
}

/** The members that we added when the line was refused before, as we or Python write them. */
const ADDED_BEFORE = /(\{|),? ?"import line": ?\d+, ?"import reason": ?"(?:[^"\\]|\\.)*"\}$/;

/** The text between an object's braces, character by character: rewriting it would lose numbers and repeated names. */
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
 * The rows that an import refused, as lines of a file of the same kind: the columns or members of each row, then
 * the line and the reason in that language, so that the file can be corrected and imported again. Kept for thirty
 * days. The audit keeps who took them and how many. Throws FORBIDDEN and NOT_FOUND at the first piece.
 */
export function importRefusals(
  actor: Actor,
  context: Pick<Context, "db" | "clock" | "ids">,
  workspaceId: string,
  importId: string,
  language: PageLanguage = "en",
): AsyncGenerator<string> {
  const tally = { count: 0 };
  const lines = refusalLines(actor, context, workspaceId, importId, language, tally);
  return recorded(actor, context, workspaceId, lines, () => ({
    action: "import_file.exported",
    subject: importId,
    facts: { ...tally },
  }));
}

async function* refusalLines(
  actor: Actor,
  context: Pick<Context, "db">,
  workspaceId: string,
  importId: string,
  language: PageLanguage,
  tally: { count: number },
): AsyncGenerator<string> {
  permitRight(actor, "refused_rows.export");
  const [found] = isId(importId) ? await selectImports(context.db, workspaceId, importId, 1) : [];
  if (!found) throw new AppError("NOT_FOUND", { explanation: "there is no such import" });
  const { header, options } = found;
  const writer = REFUSAL_WRITERS[options.format];
  yield writer.header(header);
  for (let after = -1; ;) {
    const rows = await selectRefusals(context.db, workspaceId, importId, after, PAGE);
    for (const row of rows) {
      yield writer.line(header, { ...row, reason: refusalWords(row.reason, language) });
      tally.count++;
      after = row.position;
    }
    if (rows.length < PAGE) return;
  }
}

/** How many different reasons a summary names. A file with more is broken in a way that its first rows show. */
const MAX_REASONS = 50;

/** The reasons why an import refused rows, with the number of rows, the most frequent first; at most fifty. */
export function refusalReasons(
  context: Pick<Context, "db">,
  workspaceId: string,
  importId: string,
): Promise<{ reason: string; rows: number }[]> {
  return selectRefusalReasons(context.db, workspaceId, importId, MAX_REASONS);
}

/** How many refusals are counted by kind. Bounded, because the page asks again and again while an import runs. */
const MOST_COUNTED = 50_000;

/** The refusals of an import by kind, with the first lines of each. Counts the first 50,000 refused rows. */
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

/** Removes refused rows after thirty days: they are personal data that nobody imported. Gives how many. */
export function pruneImportRefusals(context: Pick<Context, "db" | "clock">): Promise<number> {
  const before = new Date(context.clock.now().getTime() - KEPT_MS);
  return deleteOldRefusals(context.db, before, PAGE);
}

/** Removes imports a year after their last row, whether they finished or not. Gives how many. */
export function pruneImports(context: Pick<Context, "db" | "clock">): Promise<number> {
  const before = new Date(context.clock.now().getTime() - SUMS_KEPT_MS);
  return deleteOldImports(context.db, before, PAGE);
}
