import type { Tx } from "../../db/database.ts";
import { readCorrelation } from "../send/message-part.ts";
import {
  providerKeyOf,
  selectByProviderId,
  type MessageKey,
  type Known,
} from "../record/message-store.ts";
import { selectPartHolders } from "../send/part-store.ts";
import type { Settlement } from "../record/settle-messages.ts";

/**
 * Finds the messages that have these provider ids, by `providerKeyOf`. The id may stand in the message or in one of its
 * parts. Parts are read only for ids that no message has.
 */
export async function findMessageHolders(
  tx: Tx,
  settlements: readonly Settlement[],
): Promise<Map<string, Pick<Known, "id">>> {
  const named = settlements.filter(hasProviderId);
  const holders = new Map<string, Pick<Known, "id">>(await selectByProviderId(tx, named));
  const strangers = named.filter(
    (one) =>
      one.channelId !== null &&
      readCorrelation(one.messageId) === null &&
      !holders.has(providerKeyOf(one)),
  );
  if (strangers.length > 0)
    for (const part of await selectPartHolders(tx, strangers))
      holders.set(providerKeyOf(part), part);
  return holders;
}

/** Whether the platform's id is known. */
export function hasProviderId<T extends { providerMessageId: string | null }>(
  one: T,
): one is T & { providerMessageId: string } {
  return one.providerMessageId !== null;
}

/** The messages that a settlement may mean, our own id first. */
export function candidates(
  one: Settlement,
  holders: ReadonlyMap<string, Pick<Known, "id">>,
): MessageKey[] {
  const { workspaceId } = one;
  const named = readCorrelation(one.messageId);
  const ids = named === null ? [] : [named.messageId];
  const holder = hasProviderId(one) ? holders.get(providerKeyOf(one)) : undefined;
  if (holder) ids.push(holder.id);
  return ids.map((id) => ({ workspaceId, id }));
}
