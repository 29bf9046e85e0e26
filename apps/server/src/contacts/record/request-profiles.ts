import type { Context } from "../../context.ts";
import type { Tx } from "../../db/database.ts";
import type { ProfileRequest } from "./profile-request.ts";
import { insertRequests } from "./profile-store.ts";

/**
 * Promises to ask the platform for the names of these contacts, in the transaction that made them: Messenger and
 * Instagram tell a name only when they are asked (channels.md §3.2). A worker does, outside any transaction.
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
