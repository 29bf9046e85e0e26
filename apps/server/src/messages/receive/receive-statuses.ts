import type { Context } from "../../context.ts";
import type { InboundEvent } from "../../channels/adapter.ts";
import { rememberIdentities } from "../../contacts/identity/remember-identities.ts";
import { idsTold } from "../../sending/judge-outcome.ts";
import { setConsent } from "../../contacts/consent/set-consent.ts";
import type { Tx } from "../../db/database.ts";
import type { Settled } from "../../lib/group-commit.ts";
import { emitEvents } from "../../webhooks/emit-events.ts";
import type { NewEvent } from "../../webhooks/event.ts";
import { hasProviderId, findMessageHolders } from "./find-holders.ts";
import { findRecipients } from "./find-recipients.ts";
import { readCorrelation } from "../send/message-part.ts";
import { providerKeyOf, selectUnanswered } from "../record/message-store.ts";
import type { InboundItem } from "./receive-events.ts";
import { settleMessages, type Settlement } from "../record/settle-messages.ts";

export type ReceivedStatus = InboundItem<Extract<InboundEvent, { kind: "status" }>>;

/**
 * Applies platforms' reports about our messages. A failure that says that the customer opted out also changes the
 * consent.
 */
export async function receiveStatuses(
  context: Context,
  tx: Tx,
  items: readonly ReceivedStatus[],
): Promise<Settled<void>[]> {
  const settlements = items.map(({ account: { workspaceId, channelId }, event }): Settlement => ({
    workspaceId,
    channelId,
    messageId: event.correlationId,
    providerMessageId: event.externalMessageId,
    status: event.status,
    at: event.occurredAt,
    errorCode: event.errorCode,
    errorMessage: event.errorDetail,
    ...(event.scope && { scope: event.scope }),
  }));
  const holders = await findMessageHolders(tx, settlements);
  const named = (index: number): boolean => {
    const one = settlements[index];
    return one !== undefined && hasProviderId(one) && holders.has(providerKeyOf(one));
  };
  await noteCustomers(
    context,
    tx,
    items.filter((_, index) => !named(index)),
  );
  const events = await recordOptOuts(context, tx, items);
  const passcodes = await findPasscodes(
    context,
    tx,
    items.filter((_, index) => !named(index)),
  );
  const ofMessages = settlements.filter((one) => !passcodes.has(one.messageId ?? ""));
  events.push(...(await settleMessages(context, tx, ofMessages, holders)));
  if (passcodes.size > 0) {
    const told = items.filter(({ event }) => passcodes.has(event.correlationId ?? ""));
    events.push(...(await context.passcodeStatuses.settle(context, tx, told)));
  }
  await emitEvents(context, tx, events);
  return items.map(() => ({ ok: true, value: undefined }));
}

/** Which reports about no known message are about codes that went by WhatsApp, by the ids that it returned. */
function findPasscodes(
  context: Context,
  tx: Tx,
  strangers: readonly ReceivedStatus[],
): Promise<ReadonlySet<string>> {
  const keys = strangers.flatMap(({ account, event: { correlationId: id } }) =>
    id !== null && account.channelType === "WHATSAPP"
      ? [{ workspaceId: account.workspaceId, providerId: account.channelId, id }]
      : [],
  );
  return keys.length > 0 ? context.passcodeStatuses.find(tx, keys) : Promise.resolve(new Set());
}

/**
 * Stores the customer's ids that a report tells. Only reports of messages whose answer was lost or has not come yet are
 * used: for all others the ids are known already, and a write each would be waste. Ids of contacts are written before
 * messages are locked, as the order of locks requires.
 */
async function noteCustomers(
  context: Context,
  tx: Tx,
  items: readonly ReceivedStatus[],
): Promise<void> {
  const told = items.flatMap(({ account, event: { customer, correlationId } }) => {
    const id = readCorrelation(correlationId)?.messageId;
    return customer === undefined || id === undefined ? [] : [{ ...account, id, customer }];
  });
  if (told.length === 0) return;
  const open = await selectUnanswered(tx, told);
  await rememberIdentities(
    context,
    tx,
    told.flatMap(({ workspaceId, channelId, channelType, id, customer }) => {
      const message = open.get(`${workspaceId}/${id}`);
      if (message?.channelId !== channelId) return [];
      const { externalId: recipientId, ...more } = customer;
      const externalIds = idsTold({ recipientId, ...more }, message.to);
      if (externalIds.length === 0) return [];
      return [{ workspaceId, channelId, channelType, contactId: message.contactId, externalIds }];
    }),
  );
}

/** Runs before the messages are locked: contacts come first in the order of locks. */
async function recordOptOuts(
  context: Context,
  tx: Tx,
  items: readonly ReceivedStatus[],
): Promise<NewEvent[]> {
  const stops = items.filter(({ event }) => event.optedOut === true);
  if (stops.length === 0) return [];
  const recipients = await findRecipients(
    tx,
    stops.map(({ account, event }) => ({ ...account, ...event })),
  );
  return setConsent(
    context,
    tx,
    stops.flatMap(({ account, event: { errorCode: detail, occurredAt: at } }, index) => {
      const contactId = recipients[index] ?? null;
      if (contactId === null) return [];
      return [{ ...account, contactId, optedOut: true, source: "platform", detail, at }];
    }),
  );
}
