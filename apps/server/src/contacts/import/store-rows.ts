import type { Context } from "../../context.ts";
import type { Db } from "../../db/database.ts";
import { UnreadableFile } from "./decode-text.ts";
import { attributeReader } from "../attributes/define-attribute.ts";
import {
  addResult,
  type ImportReporter,
  type ImportResult,
  type ImportSums,
} from "./import-report.ts";
import { readImportRows, type ImportRow, type ReadOptions } from "./import-rows.ts";
import { localPhoneReader } from "../identity/local-phone.ts";

/** Rows of one transaction; fewer while there are other requests. */
const BATCH = 1_000;

export interface FileReadOptions extends Omit<ReadOptions, "typed" | "localPhone"> {
  /** The country (ISO 3166, two letters) whose code local numbers get. Undefined: they get none. */
  readonly country?: string | undefined;
}

/** With the last batch: where the file could not be read on. */
export type End = { readonly stoppedAt: number | null } | null;

/**
 * Reads the rows of a file and stores them in batches of up to 1,000 by `store`, giving way to requests. Memory
 * does not grow with the file. The last batch may be empty. A place where the file cannot be read on becomes a
 * refused row of the last batch. Stored rows are added to `sums`, then told to the reporter. Gives the line where
 * reading stopped, or null.
 */
export async function storeRows(
  context: Pick<Context, "db" | "background">,
  workspaceId: string,
  source: AsyncIterable<Uint8Array>,
  { country, ...reading }: FileReadOptions,
  reporter: Partial<ImportReporter>,
  sums: ImportSums,
  store: (db: Db, batch: readonly ImportRow[], end: End) => Promise<readonly ImportResult[]>,
): Promise<number | null> {
  const take = async (batch: readonly ImportRow[], end: End): Promise<void> => {
    const results = await context.background.piece((db) => store(db, batch, end));
    for (const result of results) {
      addResult(sums, result);
      await reporter.onRow?.(result);
    }
    await reporter.onProgress?.({ ...sums, stoppedAt: end?.stoppedAt ?? null });
  };
  const typed = await attributeReader(context, workspaceId);
  const localPhone = country === undefined ? undefined : await localPhoneReader(country);
  let batch: ImportRow[] = [];
  let size = await context.background.size(BATCH);
  let stoppedAt: number | null = null;
  try {
    for await (const row of readImportRows(source, { ...reading, typed, localPhone })) {
      batch.push(row);
      if (batch.length < size) continue;
      await take(batch, null);
      batch = [];
      size = await context.background.size(BATCH);
    }
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    const reason = `${error.message}; the rest was not read`;
    batch.push({ line: error.line, record: [], reason });
    stoppedAt = error.line;
  }
  await take(batch, { stoppedAt });
  return stoppedAt;
}
