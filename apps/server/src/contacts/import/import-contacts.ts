import type { Context } from "../../context.ts";
import { storeBatch, type BatchRules } from "./import-batch.ts";
import {
  NOTHING_DONE,
  type ImportProgress,
  type ImportReporter,
  type ImportResult,
} from "./import-report.ts";
import type { ImportRow } from "./import-rows.ts";
import { storeRows, type FileReadOptions } from "./store-rows.ts";
import type { MatchBy } from "../../wire/words.ts";

/**
 * Imports contacts from a file in batches of up to 1,000, each in a transaction. Gives way to requests; memory
 * does not grow with the file. A row is matched by id, external id, phone or e-mail, in that order (the oldest of
 * several), and then updates the contact: empty cells change nothing, tags are added, attributes are merged. A row
 * without a match creates a contact. `optedOut` can opt out; it opts nobody in again unless `allowOptIn` is set,
 * so that an old list does not undo a STOP. The reporter hears of every row once: created, updated, unchanged or
 * refused, with its line and the reason. When the file cannot be read on, the reporter hears of a refusal and
 * `stoppedAt` has the line. Throws VALIDATION_FAILED when the header is not understood; nothing is stored then.
 * `dryRun` tries each batch and rolls it back: nothing is stored or told. In a dry run, a person who is new in two
 * batches counts as created in both.
 */
export async function importContacts(
  context: Pick<Context, "db" | "ids" | "clock" | "wake" | "sealer" | "background">,
  workspaceId: string,
  source: AsyncIterable<Uint8Array>,
  options: {
    readonly allowOptIn?: boolean;
    readonly match?: MatchBy;
    readonly dryRun?: boolean;
  } & FileReadOptions &
    Partial<ImportReporter>,
): Promise<ImportProgress> {
  const rules = { allowOptIn: options.allowOptIn ?? false, match: options.match ?? "any" };
  const sums = { ...NOTHING_DONE };
  const stoppedAt = await storeRows(
    context,
    workspaceId,
    source,
    options,
    options,
    sums,
    (db, batch) =>
      options.dryRun
        ? tryBatch({ ...context, db }, workspaceId, batch, rules)
        : db.transaction((tx) => storeBatch(context, tx, workspaceId, batch, rules, null)),
  );
  return { ...sums, stoppedAt };
}

class TakenBack extends Error {}

/** What storing the rows would give: they are stored and rolled back. */
export async function tryBatch(
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
