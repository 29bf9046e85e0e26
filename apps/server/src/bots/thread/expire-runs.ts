import type { Tx } from "../../db/database.ts";
import { blankRuns } from "./run-store.ts";

/**
 * Takes what customers and bots said out of the next runs that are over: answers to steps, the steps and the summary.
 * The runs stay, so that the bots' results count them. Gives the id up to which it looked; null: nothing was left.
 */
export async function expireRuns(
  tx: Tx,
  workspaceId: string,
  range: { readonly above: string; readonly below: string },
  limit: number,
): Promise<string | null> {
  const { looked, last } = await blankRuns(tx, workspaceId, range, limit);
  return looked < limit ? null : last;
}
