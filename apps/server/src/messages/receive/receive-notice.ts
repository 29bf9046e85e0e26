import type { Context } from "../../context.ts";
import type { InboundEvent } from "../../channels/adapter.ts";
import { failChannel } from "../../channels/fail-channel.ts";
import { changeNumber } from "../../contacts/identity/change-number.ts";
import { matchContacts } from "../../contacts/identity/match-contacts.ts";
import { setConsent } from "../../contacts/consent/set-consent.ts";
import { redirectConversation } from "../../conversations/touch-conversations.ts";
import type { Tx } from "../../db/database.ts";
import { applyTemplateStatus } from "../../templates/apply-template-status.ts";
import { emitEvents } from "../../webhooks/emit-events.ts";
import type { NewEvent } from "../../webhooks/event.ts";
import { notifyAdmins } from "../../workspaces/notify-admins.ts";
import { clean } from "./inbound-content.ts";
import { receiveChange } from "./receive-change.ts";
import { receiveEcho } from "./receive-echo.ts";
import type { InboundItem } from "./receive-events.ts";

/**
 * Takes in an event that is neither a message, a status nor a watermark. Such events are rare, so each has a
 * transaction of its own.
 */
export async function receiveNotice(context: Context, item: InboundItem): Promise<void> {
  await context.db.transaction(async (tx) => {
    await emitEvents(context, tx, await apply(context, tx, item));
  });
}

async function apply(
  context: Context,
  tx: Tx,
  { account, event }: InboundItem,
): Promise<NewEvent[]> {
  const { workspaceId, channelId } = account;
  switch (event.kind) {
    case "message":
    case "status":
    case "watermark":
      throw new Error(`${event.kind} is not a notice`);
    case "number_changed": {
      const change = { ...account, ...event, at: event.occurredAt };
      const { contactId, moved, events } = await changeNumber(context, tx, change);
      if (moved && contactId !== null)
        await redirectConversation(tx, { workspaceId, channelId, contactId }, event.toExternalId);
      return events;
    }
    case "echo":
      return receiveEcho(context, tx, account, event);
    case "edited":
    case "deleted": {
      const { kind, occurredAt: at, place } = event;
      const text = event.text === null ? null : clean(event.text);
      return receiveChange(context, tx, account, event, {
        kind,
        text,
        at,
        ...(place && { place }),
      });
    }
    case "preference": {
      const { matches, events } = await matchPerson(context, tx, account, event);
      const contactId = matches[0]?.contactId ?? "";
      const { optedOut, lifts, occurredAt: at } = event;
      const change = {
        ...account,
        contactId,
        optedOut,
        lifts,
        source: "platform",
        detail: optedOut ? "stop" : "resume",
        at,
      };
      return [...events, ...(await setConsent(context, tx, [change]))];
    }
    case "template_status":
      return applyTemplateStatus(context, tx, { ...event, workspaceId, channelId });
    case "account_alert":
      return applyAlert(context, tx, account, event);
  }
}

/**
 * Finds the contact behind an id on the channel, or creates it. A preference of an unknown person needs a contact too:
 * the wish must hold when that person is imported later.
 */
function matchPerson(
  context: Context,
  tx: Tx,
  account: InboundItem["account"],
  { customerExternalId: externalId, alternateId }: Extract<InboundEvent, { kind: "preference" }>,
): ReturnType<typeof matchContacts> {
  return matchContacts(context, tx, [
    {
      ...account,
      externalId,
      ...(alternateId !== undefined && { alternateId }),
      phone: phoneOf(account.channelType, externalId),
      name: null,
      at: context.clock.now(),
      seen: false,
    },
  ]);
}

/** The phone number of a WhatsApp id. Users who hide their number have another id; then null. */
function phoneOf(channelType: string, externalId: string): string | null {
  return channelType === "WHATSAPP" && /^\d{6,20}$/.test(externalId) ? externalId : null;
}

async function applyAlert(
  context: Context,
  tx: Tx,
  { workspaceId, channelId }: InboundItem["account"],
  alert: Extract<InboundEvent, { kind: "account_alert" }>,
): Promise<NewEvent[]> {
  if (alert.blocking) {
    const fault = { ...alert, at: alert.occurredAt };
    return failChannel(context, tx, workspaceId, channelId, fault);
  }
  await notifyAdmins(context, tx, workspaceId, {
    kind: "channel.alert",
    subject: "A platform sent a notice about one of your channels",
    body: `${alert.code}: ${alert.detail}`,
    // The same notice on the same day says nothing new.
    dedupe: `channel.alert:${channelId}:${alert.code}:${context.clock.now().toISOString().slice(0, 10)}`,
  });
  return [];
}
