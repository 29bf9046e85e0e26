import { conversationEvent } from "../conversations/conversation.ts";
import { openConversations } from "../conversations/open-conversations.ts";
import { WINDOW_CLOSED } from "../conversations/reply-window.ts";
import type { Context } from "../context.ts";
import type { Tx } from "../db/database.ts";
import { insertMessages } from "../messages/insert-messages.ts";
import { settleMessages } from "../messages/settle-messages.ts";
import { planLookUps } from "../sms/plan-look-ups.ts";
import { countSegments } from "../sms/segments.ts";
import { reserveCredits } from "../usage/credits.ts";
import { reserveSlots } from "../usage/reserve-slots.ts";
import { emitEvents } from "../webhooks/emit-events.ts";
import type { NewEvent } from "../webhooks/event.ts";
import type { Broadcast } from "./broadcast.ts";
import { haltBroadcast } from "./halt-broadcast.ts";
import type { Filled, SendPlan } from "./plan-sending.ts";
import type { Claim, SkipReason } from "./recipient.ts";
import { markCalled, putBack, selectFitness, skipHeld } from "./recipient-store.ts";
import { renderingOf } from "./rendering.ts";

/** A call that may now be made, once: the intent is committed. */
export interface Call {
  readonly claim: Claim;
  readonly messageId: string;
  readonly filled: Filled;
  readonly calledAt: Date;
}

type Shortage = "SUBSCRIPTION_SUSPENDED" | "MESSAGE_LIMIT_REACHED" | "INSUFFICIENT_CREDITS";

/** The allowance covers fewer: what was done is undone and done again for as many as it covers. */
class AllowanceShort extends Error {
  readonly granted: number;
  readonly reason: Shortage;
  constructor(granted: number, reason: Shortage) {
    super("the allowance covers fewer recipients");
    this.granted = granted;
    this.reason = reason;
  }
}

/**
 * Turns claims into calls, in one transaction before the first byte leaves: opt-out and window are looked at again,
 * quota slots are taken for all at once, the messages stored in the contacts' conversations, the intent to call
 * committed. Claims that do not become calls go back to wait. When the allowance ends within the claims, those it
 * still covers go and the campaign pauses with the reason. A recipient that was tried before keeps its message and
 * slot: a retry never takes a second one.
 */
export async function beginCalls(
  context: Context,
  broadcast: Broadcast,
  plan: SendPlan,
  claims: readonly Claim[],
): Promise<Call[]> {
  let wanted = claims;
  let halt: string | null = null;
  let calls: Call[] = [];
  while (wanted.length > 0) {
    try {
      const now = wanted;
      calls = await context.db.transaction((tx) => begin(context, tx, broadcast, plan, now));
      break;
    } catch (error) {
      if (!(error instanceof AllowanceShort)) throw error;
      halt = error.reason;
      // The suspended send nothing, not even what has its slot already.
      wanted = halt === "SUBSCRIPTION_SUSPENDED" ? [] : affordable(wanted, error.granted);
    }
  }
  const begun = new Set(calls.map((call) => call.claim.contactId));
  const rest = claims.filter((claim) => !begun.has(claim.contactId));
  if (rest.length === 0 && halt === null) return calls;
  await context.db.transaction(async (tx) => {
    await putBack(
      tx,
      broadcast,
      rest.map((claim) => ({ claim, availableAt: null, tried: false })),
    );
    if (halt !== null)
      await emitEvents(context, tx, await haltBroadcast(context, tx, broadcast, halt));
  });
  return calls;
}

/** Those that have their slot, and as many of the others as there are slots. */
function affordable(claims: readonly Claim[], slots: number): Claim[] {
  let left = slots;
  return claims.filter((claim) => claim.messageId !== null || left-- > 0);
}

async function begin(
  context: Context,
  tx: Tx,
  broadcast: Broadcast,
  plan: SendPlan,
  claims: readonly Claim[],
): Promise<Call[]> {
  const calledAt = context.clock.now();
  const { workspaceId, channelId, channelType } = broadcast;
  const windowed = broadcast.kind === "TEXT" && channelType === "WHATSAPP";
  const windowsOf = windowed ? channelId : null;
  const fitness = await selectFitness(tx, broadcast, windowsOf, claims, calledAt);
  const held = new Map(fitness.map((one) => [one.contactId, one]));
  const skips: { claim: Claim; reason: SkipReason }[] = [];
  const calls: Call[] = [];
  const { same } = renderingOf(broadcast);
  for (const claim of claims) {
    const state = held.get(claim.contactId);
    if (!state) continue;
    const content = claim.content ?? same;
    if (state.optedOut) skips.push({ claim, reason: "opted_out" });
    else if (windowed && !(state.windowExpiresAt && state.windowExpiresAt > calledAt))
      skips.push({ claim, reason: "window_closed" });
    else if (content === null) skips.push({ claim, reason: "missing_variable" });
    else {
      const messageId = claim.messageId ?? context.ids.next();
      calls.push({ claim, messageId, filled: plan.fill(content), calledAt });
    }
  }
  await skipHeld(tx, broadcast, skips, calledAt);
  const events = await settleSkipped(context, tx, broadcast, skips, calledAt);

  const marked = await markCalled(tx, broadcast, calls, calledAt);
  const going = calls.filter((call) => marked.has(call.claim.contactId));
  const fresh = going.filter((call) => call.claim.messageId === null);
  const threads =
    channelId === null
      ? []
      : await openConversations(
          context,
          tx,
          fresh.map(({ claim }) => ({
            workspaceId,
            contactId: claim.contactId,
            channelId,
            channelType,
            externalId: claim.address,
            at: calledAt,
          })),
        );
  // Also when all have their slots: a workspace that was suspended meanwhile sends nothing more.
  const slots = (await reserveSlots(context, tx, [{ workspaceId, count: fresh.length }])).get(
    workspaceId,
  );
  if (!slots || slots.suspended) throw new AllowanceShort(0, "SUBSCRIPTION_SUSPENDED");
  if (slots.granted < fresh.length)
    throw new AllowanceShort(slots.granted, "MESSAGE_LIMIT_REACHED");
  if (channelId === null) await payForSms(tx, workspaceId, fresh);
  for (const { conversation, created } of threads)
    if (created) events.push(conversationEvent("conversation.created", conversation));
  events.push(
    ...(await insertMessages(
      context,
      tx,
      fresh.map((call, index) => ({
        workspaceId,
        id: call.messageId,
        conversationId: threads[index]?.conversation.id ?? null,
        contactId: call.claim.contactId,
        channelId,
        channelType: channelId === null ? null : channelType,
        type: call.filled.template ? "template" : "text",
        text: call.filled.text,
        template: call.filled.template,
        source: "broadcast" as const,
        broadcastId: broadcast.id,
      })),
    )),
    ...slots.events,
  );
  if (plan.sms) {
    const ids = going.map((call) => call.messageId);
    await planLookUps(tx, plan.sms, ids, calledAt);
  }
  await emitEvents(context, tx, events);
  return going;
}

/** One credit per SMS part, for all at once; a retry was paid for (contract §5, OTP: the same balance). */
async function payForSms(tx: Tx, workspaceId: string, calls: readonly Call[]): Promise<void> {
  const costs = calls.map((call) => countSegments(call.filled.text).segments);
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

/** A recipient that was tried before has a message in the conversation: it must not stand there as sent. */
function settleSkipped(
  context: Context,
  tx: Tx,
  broadcast: Broadcast,
  skips: readonly { claim: Claim; reason: SkipReason }[],
  at: Date,
): Promise<NewEvent[]> {
  const { workspaceId, channelId } = broadcast;
  return settleMessages(
    context,
    tx,
    skips.flatMap(({ claim: { messageId }, reason }) => {
      if (messageId === null) return [];
      const closed = reason === "window_closed";
      return {
        workspaceId,
        messageId,
        channelId,
        providerMessageId: null,
        status: "failed" as const,
        at,
        errorCode: closed ? WINDOW_CLOSED.code : reason.toUpperCase(),
        errorMessage: closed ? WINDOW_CLOSED.message : "The campaign skipped this contact.",
      };
    }),
  );
}
