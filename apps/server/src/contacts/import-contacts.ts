import type { Context } from "../context.ts";
import {
  addResult,
  NOTHING_DONE,
  QUIET,
  type ImportProgress,
  type ImportReporter,
  type ImportResult,
} from "./import-report.ts";
import { UnreadableFile } from "./decode-text.ts";
import { attributeReader } from "./define-attribute.ts";
import type { Match } from "./import-address-book.ts";
import { storeBatch, type BatchRules } from "./import-batch.ts";
import { localPhoneReader } from "./local-phone.ts";
import { readImportRows, type ImportRow, type ReadOptions } from "./import-rows.ts";

const BATCH = 1_000;

/**
 * Takes contacts from a file in batches of up to 1,000, each a transaction; it gives way to requests, and memory does
 * not grow with the file. A row is met by id, external id, phone or e-mail, in that order (the oldest of several), and
 * then updates: what the row leaves empty stays, tags are added, attributes are merged. Else it makes a contact.
 * `optedOut` can opt out; it opts nobody in again unless `allowOptIn` is set, so that an old list does not undo a STOP.
 * Every row is told to the reporter once: created, updated, unchanged or refused, with its line and the reason. Where
 * the file cannot be read on, that is told as a refusal and `stoppedAt` has the line. Throws VALIDATION_FAILED when the
 * header is not understood; nothing is stored then. `dryRun` tries each batch and takes it back: nothing is stored and
 * nobody is told; somebody whom two batches name for the first time counts as created in both.
 */
export async function importContacts(
  context: Pick<Context, "db" | "ids" | "clock" | "wake" | "sealer" | "background">,
  workspaceId: string,
  source: AsyncIterable<Uint8Array>,
  options: {
    readonly allowOptIn?: boolean;
    readonly match?: Match;
    readonly dryRun?: boolean;
  } & Omit<ReadOptions, "typed" | "localPhone"> & {
      /** Whose code local numbers get; undefined: they get none. */
      readonly country?: string | undefined;
    } & Partial<ImportReporter>,
): Promise<ImportProgress> {
  const rules = { allowOptIn: options.allowOptIn ?? false, match: options.match ?? "any" };
  const reporter: ImportReporter = { ...QUIET, ...options };
  const sums = { ...NOTHING_DONE, stoppedAt: null as number | null };
  const typed = await attributeReader(context, workspaceId);
  const { country } = options;
  const localPhone = country === undefined ? undefined : await localPhoneReader(country);
  let batch: ImportRow[] = [];
  let size = await context.background.size(BATCH);
  const flush = async (): Promise<void> => {
    const results = await context.background.piece((db) =>
      options.dryRun
        ? tryBatch({ ...context, db }, workspaceId, batch, rules)
        : db.transaction((tx) => storeBatch(context, tx, workspaceId, batch, rules, null)),
    );
    batch = [];
    size = await context.background.size(BATCH);
    for (const result of results) {
      addResult(sums, result);
      await reporter.onRow(result);
    }
    await reporter.onProgress({ ...sums });
  };
  try {
    for await (const row of readImportRows(source, { ...options, typed, localPhone })) {
      batch.push(row);
      if (batch.length >= size) await flush();
    }
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    const reason = `${error.message}; the rest was not read`;
    batch.push({ line: error.line, record: [], reason });
    sums.stoppedAt = error.line;
  }
  if (batch.length > 0) await flush();
  return { ...sums };
}

class TakenBack extends Error {}

async function tryBatch(
  context: Pick<Context, "db" | "ids" | "clock" | "wake" | "sealer">,
  workspaceId: string,
  batch: readonly ImportRow[],
  rules: BatchRules,
): Promise<ImportResult[]> {
  let results: ImportResult[] = [];
  try {
    await context.db.transaction(async (tx) => {
      results = await storeBatch(context, tx, workspaceId, batch, rules, null);
      throw new TakenBack();
    });
  } catch (error) {
    if (!(error instanceof TakenBack)) throw error;
  }
  return results;
}
