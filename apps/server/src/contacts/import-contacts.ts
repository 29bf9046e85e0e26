import type { Context } from "../context.ts";
import { QUIET, type ImportProgress, type ImportReporter } from "./import-report.ts";
import { storeBatch } from "./import-batch.ts";
import { readImportRows, type ImportFormat, type ImportRow } from "./import-rows.ts";
import { UnreadableFile } from "./decode-utf8.ts";

const BATCH = 1_000;

/**
 * Takes contacts from a file in batches of 1,000, each a transaction; memory does not grow with the file. A row is
 * met by id, external id, phone or e-mail, in that order (the oldest of several), and then updates: what the row
 * leaves empty stays, tags are added, attributes are merged. Else it makes a contact. `optedOut` can opt out; it
 * opts nobody in again unless `allowOptIn` is set, so that an old list does not undo a STOP. Every row is told to the
 * reporter once: created, updated, unchanged or refused, with its line and the reason. Where the file cannot be read
 * on, that is told as a refusal and `stoppedAt` has the line. Throws VALIDATION_FAILED when the header is not
 * understood; nothing is stored then.
 */
export async function importContacts(
  context: Pick<Context, "db" | "ids" | "clock" | "wake">,
  workspaceId: string,
  source: AsyncIterable<Uint8Array>,
  options: {
    readonly format: ImportFormat;
    readonly allowOptIn?: boolean;
  } & Partial<ImportReporter>,
): Promise<ImportProgress> {
  const reporter: ImportReporter = { ...QUIET, ...options };
  const sums = {
    rows: 0,
    created: 0,
    updated: 0,
    unchanged: 0,
    refused: 0,
    stoppedAt: null as number | null,
  };
  let batch: ImportRow[] = [];
  const flush = async (): Promise<void> => {
    const results = await storeBatch(context, workspaceId, batch, options.allowOptIn === true);
    batch = [];
    for (const result of results) {
      sums.rows += 1;
      sums[result.outcome] += 1;
      await reporter.onRow(result);
    }
    await reporter.onProgress({ ...sums });
  };
  try {
    for await (const row of readImportRows(source, options.format)) {
      batch.push(row);
      if (batch.length >= BATCH) await flush();
    }
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    batch.push({ line: error.line, reason: `${error.message}; the rest was not read` });
    sums.stoppedAt = error.line;
  }
  if (batch.length > 0) await flush();
  return { ...sums };
}
