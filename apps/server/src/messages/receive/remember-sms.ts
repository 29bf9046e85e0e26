import { createHash } from "node:crypto";
import type { Tx } from "../../db/database.ts";
import { insertForgotten } from "../record/message-store.ts";

/**
 * Those of these inbound SMS that arrive for the first time. An SMS is stored nowhere, so the gateway's id of each is
 * remembered as a digest, for 90 days. One without an id ("") counts as new. Runs before contacts are locked.
 */
export async function withoutRepeatedSms<One extends { readonly externalMessageId: string }>(
  tx: Tx,
  { workspaceId, providerId }: { readonly workspaceId: string; readonly providerId: string },
  given: readonly One[],
  at: Date,
): Promise<One[]> {
  const digestOf = ({ externalMessageId: id }: One): string | null =>
    id === ""
      ? null
      : createHash("sha256").update(`sms ${providerId} ${id}`).digest("hex").slice(0, 32);
  const digests = new Set(given.map(digestOf).filter((digest) => digest !== null));
  const fresh = new Set(await insertForgotten(tx, workspaceId, [...digests], at));
  return given.filter((one) => {
    const digest = digestOf(one);
    // Of two in one call the first counts.
    return digest === null || fresh.delete(digest);
  });
}
