import type { Tx } from "../../db/database.ts";
import { popEarlyStatuses, type ParkedStatus } from "./early-status-store.ts";

/**
 * Removes and gives the reports about an SMS that came before its gateway's id was stored, the earliest first. They wait
 * with those about campaigns' messages, because nobody can tell what they are about.
 */
export async function takeEarlyReports(
  tx: Tx,
  workspaceId: string,
  providerMessageId: string,
): Promise<ParkedStatus[]> {
  const found = await popEarlyStatuses(tx, [{ workspaceId, channelId: null, providerMessageId }]);
  return found.toSorted((a, b) => a.at.getTime() - b.at.getTime());
}
