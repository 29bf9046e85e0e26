import type { Tx } from "../../db/database.ts";
import { popEarlyStatuses, type ParkedStatus } from "./early-status-store.ts";

/**
 * Removes and gives the reports about an SMS that arrived before its gateway's id was stored, the earliest first. They wait
 * with those about campaigns' messages, because none says what it is about.
 */
export async function popEarlyReports(
  tx: Tx,
  workspaceId: string,
  providerMessageId: string,
): Promise<ParkedStatus[]> {
  const found = await popEarlyStatuses(tx, [{ workspaceId, channelId: null, providerMessageId }]);
  return found.toSorted((a, b) => a.at.getTime() - b.at.getTime());
}
