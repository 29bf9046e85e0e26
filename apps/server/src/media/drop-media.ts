import type { Context } from "../context.ts";
import type { Tx } from "../db/database.ts";
import { FETCH_LEASE_MS } from "./fetch-policy.ts";
import { dropOfMessage } from "./media-store.ts";

/**
 * A message was withdrawn or is deleted: nobody can read its files from now on. Their bytes are removed a little
 * later, after a fetch that may still be running.
 */
export async function dropMedia(
  context: Pick<Context, "clock">,
  tx: Tx,
  message: { readonly workspaceId: string; readonly messageId: string },
): Promise<void> {
  await dropOfMessage(tx, message, new Date(context.clock.now().getTime() + FETCH_LEASE_MS));
}
