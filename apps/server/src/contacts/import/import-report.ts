import type { FileRecord, ImportDeed } from "./import-rows.ts";

/** The result of one row. */
export interface ImportResult {
  /** The line of the file on which the row begins, from 1. */
  readonly line: number;
  /** The row as the file has it. */
  readonly record: FileRecord;
  readonly outcome: "created" | "updated" | "unchanged" | "refused";
  readonly contactId: string | null;
  /** Why it was refused. */
  readonly reason: string | null;
  /** How the row was corrected so that it could be imported. */
  readonly done: readonly ImportDeed[];
}

export interface ImportProgress {
  /** Rows handled so far; the sum of the four outcomes. */
  readonly rows: number;
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly refused: number;
  /** Local numbers that got their country code. */
  readonly phonesCompleted: number;
  /** Rows imported without their e-mail address, which was invalid. */
  readonly emailsLeftOut: number;
  /** The line from which the file could not be read; null when it was read to its end. */
  readonly stoppedAt: number | null;
}

/** Hears of an import while it runs. Results come in the order of the file, after they are committed. */
export interface ImportReporter {
  /** Called before the first row: says which import it is, and how many of its rows an earlier run imported. */
  onStart(start: { readonly importId: string; readonly resumedAt: number }): void | Promise<void>;
  onRow(result: ImportResult): void | Promise<void>;
  onProgress(progress: ImportProgress): void | Promise<void>;
}

/** The counts of an import at its start. */
export const NOTHING_DONE = {
  rows: 0,
  created: 0,
  updated: 0,
  unchanged: 0,
  refused: 0,
  phonesCompleted: 0,
  emailsLeftOut: 0,
};

export type ImportSums = { -readonly [K in keyof typeof NOTHING_DONE]: number };

/** Adds one row to the counts. */
export function addResult(sums: ImportSums, { outcome, done }: ImportResult): void {
  sums.rows += 1;
  sums[outcome] += 1;
  if (done.includes("phone_completed")) sums.phonesCompleted += 1;
  if (done.includes("email_left_out")) sums.emailsLeftOut += 1;
}
