import type { Context } from "../../context.ts";
import type { Tx } from "../../db/database.ts";
import type { ProfileRequest } from "./profile-request.ts";
import { insertRequests } from "./profile-store.ts";

/**
 * Stores that the platform must be asked for the names of these contacts, in the transaction that created them:
 * Messenger and Instagram tell a name only when asked (channels.md §3.2). A worker asks, outside any transaction.
 */
export async function requestProfiles(
  context: Pick<Context, "clock" | "wake">,
  tx: Tx,
  requests: readonly ProfileRequest[],
): Promise<void> {
  if (requests.length === 0) return;
  await insertRequests(tx, requests, context.clock.now());
  tx.afterCommit(() => context.wake.nudge("profiles"));
}
