import type { Context } from "../../context.ts";
import type { Tx } from "../../db/database.ts";
import { dropMedia } from "../../media/drop-media.ts";
import { emitEvents } from "../../webhooks/emit-events.ts";
import type { NewEvent } from "../../webhooks/event.ts";
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
  selectMessageById,
  type ProviderKey,
} from "../record/message-store.ts";
import { changeEvent } from "../record/message.ts";
import { storedIdOf } from "../accept/name-references.ts";
import type { InboundAccount } from "./receive-events.ts";

const DAY = 24 * 3_600_000;

/**
 * Changes a message that its sender edited or withdrew. The platform may name the message by an id that we did not
 * store; `customerExternalIds` then lead to its conversation. When the message has not come yet, the change waits for
 * it for a day at most. Gives the event of a change that was made.
 */
export async function receiveChange(
  context: Context,
  tx: Tx,
  account: InboundAccount,
  told: { readonly externalMessageId: string; readonly customerExternalIds?: readonly string[] },
  change: MessageEdit,
): Promise<NewEvent[]> {
  const { workspaceId, channelId } = account;
  const key = { workspaceId, channelId, providerMessageId: told.externalMessageId };
  const done = await changeMessage(context, tx, key, change);
  if (done) return done;
  const known = await selectByProviderId(tx, [key]);
  if (known.has(providerKeyOf(key))) return [];
  const customers = told.customerExternalIds ?? [];
  const meant = await storedIdOf(tx, account, told.externalMessageId, customers);
  if (meant !== null)
    return (await changeMessage(context, tx, { ...key, providerMessageId: meant }, change)) ?? [];
  await parkChange(tx, key, change, context.clock.now());
  return [];
}

/** Gives the event of the change, or null when there is no such message or nothing to change. */
async function changeMessage(
  context: Context,
  tx: Tx,
  key: ProviderKey,
  change: MessageEdit,
): Promise<NewEvent[] | null> {
  const { workspaceId } = key;
  const messageId = await rewriteText(tx, key, change);
  if (messageId === null) return null;
  // A shared location moves every few seconds.
  if (change.place) return [];
  if (change.kind === "deleted") await dropMedia(context, tx, { workspaceId, messageId });
  const message = await selectMessageById(tx, { workspaceId, id: messageId });
  return message ? [changeEvent(message, change)] : [];
}

/**
 * Applies changes that were parked at the moment in which their message was stored. Deletes changes older than a day.
 * Gives how many rows it handled.
 */
export async function sweepChanges(context: Context): Promise<number> {
  const since = new Date(context.clock.now().getTime() - DAY);
  const applied = await context.db.transaction(async (tx) => {
    const found = await popMatchedChanges(tx, since, 500);
    const events: NewEvent[] = [];
    for (const one of found.toSorted((a, b) => a.at.getTime() - b.at.getTime()))
      events.push(...((await changeMessage(context, tx, one, one)) ?? []));
    await emitEvents(context, tx, events);
    return found.length;
  });
  return applied + (await pruneEarlyChanges(context.db, since));
}
