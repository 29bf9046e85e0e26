import { createHash } from "node:crypto";
import type { Tx } from "../../db/database.ts";
import { insertForgotten } from "../record/message-store.ts";

/** An SMS by which a customer asks for something, or a report that says so. Without a phone it is about a contact. */
interface Asking {
  readonly externalMessageId: string;
  readonly change: { readonly phone?: string | null | undefined; readonly optedOut: boolean };
}

/**
 * Those of these inbound SMS that arrive for the first time. An SMS is stored nowhere, so the gateway's id of each is
 * remembered as a digest, for 90 days, with the number and what it asks: a gateway that gives two customers the same id
 * must not cost one of them the stop. One without an id ("") counts as new. Runs before contacts are locked.
 */
export async function withoutRepeatedSms<One extends Asking>(
  tx: Tx,
  { workspaceId, providerId }: { readonly workspaceId: string; readonly providerId: string },
  given: readonly One[],
  at: Date,
): Promise<One[]> {
  const digestOf = ({ externalMessageId: id, change }: One): string | null => {
    if (id === "") return null;
    const asked = `sms ${providerId} ${id} ${change.phone} ${change.optedOut}`;
    return createHash("sha256").update(asked).digest("hex").slice(0, 32);
  };
  const digests = new Set(given.map(digestOf).filter((digest) => digest !== null));
  const fresh = new Set(await insertForgotten(tx, workspaceId, [...digests], at));
  return given.filter((one) => {
    const digest = digestOf(one);
    // Of two in one call the first counts.
    return digest === null || fresh.delete(digest);
  });
}
