import type { Context } from "../context.ts";
import type { Tx } from "../db/database.ts";
import { FETCH_LEASE_MS } from "./fetch-policy.ts";
import { dropOfMessage } from "./media-store.ts";

/**
 * Drops the files of a message that was withdrawn or is deleted. From the commit on nobody can read them. Their bytes
 * are removed later, after any fetch that may still be running.
 */
export async function dropMedia(
  context: Pick<Context, "clock">,
  tx: Tx,
  message: { readonly workspaceId: string; readonly messageId: string },
): Promise<void> {
  await dropOfMessage(tx, message, new Date(context.clock.now().getTime() + FETCH_LEASE_MS));
}
