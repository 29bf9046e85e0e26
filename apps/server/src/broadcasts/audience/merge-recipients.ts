import type { MergeFollower } from "../../context.ts";
import { lockShared, selectPerson, selectShared, skipUntried } from "./merge-store.ts";

/**
 * Keeps a campaign from sending twice to a person when several of the person's contacts, under present or earlier
 * ids, are its recipients. The recipient that has come furthest goes on; every other one that only waits is
 * skipped. A single recipient stays under the merged id: the look-up at the send (`selectWaiting`) finds the
 * contact that has replaced it.
 */
export const mergeRecipients: MergeFollower = async (_context, tx, merge) => {
  const { workspaceId, keepId, at } = merge;
  const ids = await selectPerson(tx, workspaceId, keepId);
  const locked = await lockShared(tx, workspaceId, ids);
  if (locked.length === 0) return [];
  const found = await selectShared(tx, workspaceId, locked, ids);
  for (const [broadcastId, rows] of Map.groupBy(found, (row) => row.broadcastId)) {
    const kept = rows.find((row) => row.contactId === keepId);
    // An opt-out of one is an opt-out of all. Other reasons were only about the kept contact's address.
    const unwanted = kept?.status === "skipped" && kept.reason === "opted_out";
    const live = rows.filter((row) => row.status !== "skipped");
    const further =
      live.find((row) => !row.untried) ?? live.find((row) => row === kept) ?? live.at(0);
    const key = { workspaceId, broadcastId };
    for (const row of live)
      if (row.untried && (unwanted || row !== further))
        await skipUntried(tx, key, row.contactId, unwanted ? "opted_out" : "duplicate_address", at);
  }
  return [];
};
