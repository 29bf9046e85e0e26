import type { Context } from "../context.ts";
import type { InboundEvent } from "../channels/adapter.ts";
import { setConsent } from "../contacts/set-consent.ts";
import type { Tx } from "../db/database.ts";
import type { Settled } from "../lib/group-commit.ts";
import { emitEvents } from "../webhooks/emit-events.ts";
import type { NewEvent } from "../webhooks/event.ts";
import { findRecipients } from "./find-recipients.ts";
import type { InboundItem } from "./receive-events.ts";
import { settleMessages } from "./settle-messages.ts";

export type ReceivedStatus = InboundItem<Extract<InboundEvent, { kind: "status" }>>;

/** Applies platforms' reports about our messages; a failure that says the customer opted out is recorded as such. */
export async function receiveStatuses(
  context: Context,
  tx: Tx,
  items: readonly ReceivedStatus[],
): Promise<Settled<void>[]> {
  const events = await recordOptOuts(context, tx, items);
  const settled = await settleMessages(
    context,
    tx,
    items.map(({ account: { workspaceId, channelId }, event }) => ({
      workspaceId,
      channelId,
      messageId: event.correlationId,
      providerMessageId: event.externalMessageId,
      status: event.status,
      at: event.occurredAt,
      errorCode: event.errorCode,
      errorMessage: event.errorDetail,
      ...(event.scope && { scope: event.scope }),
    })),
  );
  await emitEvents(context, tx, [...events, ...settled]);
  return items.map(() => ({ ok: true, value: undefined }));
}

/** Before the messages are locked: contacts come first in the order of locks. */
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
