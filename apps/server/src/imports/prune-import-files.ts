import type { Context } from "../context.ts";
import { deleteOldImportFiles } from "./import-file-store.ts";

const BATCH = 1_000;
/** As long as the bytes of an unused upload are kept. */
const UNUSED_MS = 86_400_000;
/** As long as the sums of imports are kept. */
const ENDED_MS = 365 * 86_400_000;

/** Removes files that nobody started within a day, and imports a year after their end. Gives how many. */
export function pruneImportFiles(context: Pick<Context, "db" | "clock">): Promise<number> {
  const now = context.clock.now().getTime();
  const before = { unused: new Date(now - UNUSED_MS), ended: new Date(now - ENDED_MS) };
  return deleteOldImportFiles(context.db, before, BATCH);
}
