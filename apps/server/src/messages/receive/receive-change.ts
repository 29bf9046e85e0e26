import type { Context } from "../../context.ts";
import type { Tx } from "../../db/database.ts";
import { dropMedia } from "../../media/drop-media.ts";
import {
  parkChange,
  pruneEarlyChanges,
  popMatchedChanges,
  type MessageEdit,
} from "./early-change-store.ts";
import {
  providerKeyOf,
  rewriteText,
  selectByProviderId,
  type ProviderKey,
} from "../record/message-store.ts";
import { storedIdOf } from "../accept/name-references.ts";
import type { InboundAccount } from "./receive-events.ts";

const DAY = 24 * 3_600_000;

/**
 * Changes a message that its sender edited or withdrew. The platform may name the message by an id that we did not
 * store; `customerExternalIds` then lead to its conversation. When the message has not come yet, the change waits for
 * it for a day at most.
 */
export async function receiveChange(
  context: Context,
  tx: Tx,
  account: InboundAccount,
  told: { readonly externalMessageId: string; readonly customerExternalIds?: readonly string[] },
  change: MessageEdit,
): Promise<void> {
  const { workspaceId, channelId } = account;
  const key = { workspaceId, channelId, providerMessageId: told.externalMessageId };
  if (await changeMessage(context, tx, key, change)) return;
  const known = await selectByProviderId(tx, [key]);
  if (known.has(providerKeyOf(key))) return;
  const customers = told.customerExternalIds ?? [];
  const meant = await storedIdOf(tx, account, told.externalMessageId, customers);
  if (meant === null) await parkChange(tx, key, change, context.clock.now());
  else await changeMessage(context, tx, { ...key, providerMessageId: meant }, change);
}

async function changeMessage(
  context: Context,
  tx: Tx,
  key: ProviderKey,
  change: MessageEdit,
): Promise<boolean> {
  const messageId = await rewriteText(tx, key, change);
  if (messageId !== null && change.kind === "deleted")
    await dropMedia(context, tx, { workspaceId: key.workspaceId, messageId });
  return messageId !== null;
}

/**
 * Applies changes that were parked at the moment in which their message was stored. Deletes changes older than a day.
 * Gives how many rows it handled.
 */
export async function sweepChanges(context: Context): Promise<number> {
  const since = new Date(context.clock.now().getTime() - DAY);
  const applied = await context.db.transaction(async (tx) => {
    const found = await popMatchedChanges(tx, since, 500);
    for (const one of found.toSorted((a, b) => a.at.getTime() - b.at.getTime()))
      await changeMessage(context, tx, one, one);
    return found.length;
  });
  return applied + (await pruneEarlyChanges(context.db, since));
}
