import type { Tx } from "../db/database.ts";
import { blankDefinitions, takeFromJobs } from "./erasure-store.ts";

/**
 * Changes to many contacts that named the person: they name it no more, and one that was about nobody else loses what it
 * was to write. Rules of jobs that are over and name an address of the person go too. Gives the jobs that were about the
 * person alone: their lines in the audit say the same words.
 */
export async function eraseJobs(
  tx: Tx,
  workspaceId: string,
  contactIds: readonly string[],
  addresses: readonly string[],
): Promise<string[]> {
  const alone = await takeFromJobs(tx, workspaceId, contactIds);
  if (addresses.length > 0) await blankDefinitions(tx, workspaceId, addresses);
  return alone;
}
