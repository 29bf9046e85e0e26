import type { Context } from "../context.ts";
import { deleteOldRows } from "../db/delete-old-rows.ts";
import { sql } from "../db/sql.ts";
import { AppError } from "../errors.ts";
import { isId } from "../lib/ids.ts";
import { csvLine } from "./csv-cell.ts";
import { deleteOldRefusals, selectImports, selectRefusals } from "./import-store.ts";

const PAGE = 1_000;
const KEPT_MS = 30 * 86_400_000;
/** As long as changes of contacts name the import they came with. */
const SUMS_KEPT_MS = 365 * 86_400_000;
const ADDED = ["import line", "import reason"] as const;

/** The first line of a file of refused rows: the file's own columns and two more, which an import passes over. */
export function refusalHeader(header: readonly string[] | null): string {
  return csvLine([...(header ?? ["json"]), ...ADDED]);
}

/** A refused row as a line of that file. */
export function refusalLine(
  header: readonly string[] | null,
  refusal: { readonly line: number; readonly reason: string; readonly record: readonly string[] },
): string {
  const width = header?.length ?? 1;
  // A row with too many cells keeps them all in the last column, where a person can see what went wrong.
  const cells = Array.from({ length: width }, (_, index) =>
    index === width - 1 ? refusal.record.slice(index).join(",") : (refusal.record[index] ?? ""),
  );
  return csvLine([...cells, String(refusal.line), refusal.reason]);
}

/**
 * What an import refused, as lines of CSV: the columns of the file, then the line and the reason, so that it can be
 * mended and imported again. Kept for thirty days. Throws NOT_FOUND.
 */
export async function* importRefusals(
  context: Pick<Context, "db">,
  workspaceId: string,
  importId: string,
): AsyncGenerator<string> {
  const [found] = isId(importId) ? await selectImports(context.db, workspaceId, importId, 1) : [];
  if (!found) throw new AppError("NOT_FOUND", { explanation: `there is no import ${importId}` });
  yield refusalHeader(found.header);
  for (let after = -1; ;) {
    const rows = await selectRefusals(context.db, workspaceId, importId, after, PAGE);
    for (const row of rows) {
      yield refusalLine(found.header, row);
      after = row.position;
    }
    if (rows.length < PAGE) return;
  }
}

/** Removes refused rows after thirty days: they are people's data that nobody took in. Gives how many went. */
export function pruneImportRefusals(context: Pick<Context, "db" | "clock">): Promise<number> {
  const before = new Date(context.clock.now().getTime() - KEPT_MS);
  return deleteOldRefusals(context.db, before, PAGE);
}

/** Removes imports a year after their last row, finished or broken off; gives how many went. */
export function pruneImports(context: Pick<Context, "db" | "clock">): Promise<number> {
  const before = new Date(context.clock.now().getTime() - SUMS_KEPT_MS);
  const where = sql`o.updated_at < ${before}`;
  return deleteOldRows(context.db, sql`contact_import`, { before, where, limit: PAGE });
}
