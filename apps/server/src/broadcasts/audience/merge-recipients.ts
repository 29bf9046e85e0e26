import type { MergeFollower } from "../../context.ts";
import { lockShared, selectPerson, selectShared, skipUntried } from "./merge-store.ts";

/**
 * A person is never messaged twice by a campaign that had several of its contacts, under the ids they have now or had
 * before earlier merges: of the recipients the one that is further goes on and each other, as long as it only waits, is
 * skipped. One that is alone stays under the merged id: what it is looked up by at the send (`selectWaiting`) knows who
 * that is now.
 */
export const mergeRecipients: MergeFollower = async (_context, tx, merge) => {
  const { workspaceId, keepId, at } = merge;
  const ids = await selectPerson(tx, workspaceId, keepId);
  const locked = await lockShared(tx, workspaceId, ids);
  if (locked.length === 0) return [];
  const found = await selectShared(tx, workspaceId, locked, ids);
  for (const [broadcastId, rows] of Map.groupBy(found, (row) => row.broadcastId)) {
    const kept = rows.find((row) => row.contactId === keepId);
    // The wish of the one is the wish of all; other reasons were about the kept contact's address alone.
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
