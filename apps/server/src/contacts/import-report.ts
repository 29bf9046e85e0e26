import type { FileRecord } from "./import-rows.ts";

/** What became of one row. */
export interface ImportResult {
  /** Line of the file on which the row begins, from 1. */
  readonly line: number;
  /** The row as it stands in the file. */
  readonly record: FileRecord;
  readonly outcome: "created" | "updated" | "unchanged" | "refused";
  readonly contactId: string | null;
  /** Why it was refused. */
  readonly reason: string | null;
}

export interface ImportProgress {
  /** Rows handled so far; the sum of the four outcomes. */
  readonly rows: number;
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly refused: number;
  /** The line from which the file could not be read; null when it was read to its end. */
  readonly stoppedAt: number | null;
}

/** Hears of an import while it runs. Results come in the order of the file, after they are committed. */
export interface ImportReporter {
  onRow(result: ImportResult): void | Promise<void>;
  onProgress(progress: ImportProgress): void | Promise<void>;
}

export const QUIET: ImportReporter = { onRow() {}, onProgress() {} };
