import type { Context } from "../../context.ts";
import { openCampaignThreads } from "../../conversations/open-campaign-threads.ts";
import type { Tx } from "../../db/database.ts";
import { insertMessages } from "../../messages/record/insert-messages.ts";
import { reserveSlots, type Workspaces } from "../../usage/reserve-slots.ts";
import type { NewEvent } from "../../webhooks/event.ts";
import { reserveCredits } from "../../workspaces/credits.ts";
import type { Broadcast } from "../record/broadcast.ts";
import type { BatchCall } from "./sort-waiting.ts";

export type Shortage = "SUBSCRIPTION_SUSPENDED" | "MESSAGE_LIMIT_REACHED" | "INSUFFICIENT_CREDITS";

/** The allowance covers fewer: the transaction is undone and repeated for as many as it covers. */
export class AllowanceShort extends Error {
  readonly granted: number;
  readonly reason: Shortage;
  constructor(granted: number, reason: Shortage) {
    super("the allowance covers fewer recipients");
    this.granted = granted;
    this.reason = reason;
  }
}

/**
 * Stores the messages of calls that have none yet, in their conversations, with their slots. Throws
 * `AllowanceShort`.
 */
export async function storeMessages(
  context: Context,
  tx: Tx,
  broadcast: Broadcast,
  workspaces: Workspaces,
  calls: readonly BatchCall[],
  at: Date,
): Promise<NewEvent[]> {
  const { workspaceId, channelId, channelType } = broadcast;
  const fresh = calls.filter((call) => call.claim.messageId === null);
  const opened =
    channelId === null
      ? null
      : await openCampaignThreads(
          context,
          tx,
          { workspaceId, channelId, channelType },
          fresh.map(({ claim }) => ({ contactId: claim.contactId, externalId: claim.address })),
          at,
        );
  const storedAt = context.clock.now();
  // Also when all have their slots: a workspace that was suspended meanwhile sends nothing more.
  const want = [{ workspaceId, count: fresh.length }];
  const slots = (await reserveSlots(tx, storedAt, want, workspaces)).get(workspaceId);
  if (!slots || slots.suspended) throw new AllowanceShort(0, "SUBSCRIPTION_SUSPENDED");
  if (slots.granted < fresh.length)
    throw new AllowanceShort(slots.granted, "MESSAGE_LIMIT_REACHED");
  if (channelId === null) await payForSms(tx, workspaceId, fresh);
  const messages = await insertMessages(tx, storedAt, {
    workspaceId,
    channelId,
    channelType: channelId === null ? null : channelType,
    broadcastId: broadcast.id,
    rows: fresh.map(({ claim: { contactId: recipientId }, messageId, filled }) => {
      const { text, template } = filled;
      const thread = opened?.threads.get(recipientId);
      const contactId = thread?.contactId ?? recipientId;
      const conversationId = thread?.id ?? null;
      return { id: messageId, conversationId, contactId, recipientId, text, template };
    }),
  });
  return [...(opened?.events ?? []), ...messages, ...slots.events];
}

/** One credit per SMS part, for all at once. A retry was paid for before (contract §5, OTP: the same balance). */
async function payForSms(tx: Tx, workspaceId: string, calls: readonly BatchCall[]): Promise<void> {
  const costs = calls.map((call) => call.filled.parts ?? 1);
  const paid = await reserveCredits(
    tx,
    workspaceId,
    costs.reduce((sum, cost) => sum + cost, 0),
  );
  if (paid.ok) return;
  let left = paid.balance;
  const covered = costs.findIndex((cost) => (left -= cost) < 0);
  throw new AllowanceShort(Math.max(0, covered), "INSUFFICIENT_CREDITS");
}
