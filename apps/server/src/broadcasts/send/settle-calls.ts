import { failChannel, throttleChannel } from "../../channels/fail-channel.ts";
import { rememberIdentities, type KnownAs } from "../../contacts/identity/remember-identities.ts";
import { setConsent } from "../../contacts/consent/set-consent.ts";
import type { Context } from "../../context.ts";
import type { Tx } from "../../db/database.ts";
import { settleMessages, type Settlement } from "../../messages/record/settle-messages.ts";
import { refundCredits } from "../../workspaces/credits.ts";
import { emitEvents } from "../../webhooks/emit-events.ts";
import type { NewEvent } from "../../webhooks/event.ts";
import type { Call } from "./begin-calls.ts";
import type { Broadcast } from "../record/broadcast.ts";
import { halveRate, parkBroadcast } from "../record/broadcast-store.ts";
import { haltBroadcast } from "../record/halt-broadcast.ts";
import { endFlight } from "./flight-store.ts";
import { clearHeaderRef } from "../text/header-store.ts";
import { judgeOutcome, type Verdict } from "./judge-outcome.ts";
import type { Answered } from "./make-calls.ts";
import { halveNumber, heldTo } from "./number-pace.ts";
import { RATE_FLOOR } from "./pace.ts";
import { lockNumber, updateNumber } from "./pace-store.ts";
import type { SendPlan } from "./plan-sending.ts";
import { moveRecipients, putBack, type PutBack } from "../audience/recipient-store.ts";

/** How long a campaign waits when the provider could be reached for none of these and took none a moment ago. */
const UNREACHED_MS = 5_000;
/**
 * How long it waits when the provider answered none of so many: each of them may end as OUTCOME_UNKNOWN, and a provider
 * that is down for ten minutes must not make the whole audience so.
 */
const UNANSWERED_MS = 60_000;
const UNANSWERED_FROM = 5;

/** A header's file that is refused so soon after it was given will be refused again. */
const HEADER_FRESH_MS = 60_000;

interface Judged {
  readonly call: Call;
  readonly verdict: Verdict;
  /** Parts of its text that were taken although it failed. */
  readonly partsTaken: number;
}

/**
 * Stores what a batch of calls came to, in one transaction: messages, recipients, counts, and what it means for the
 * campaign and its channel. Recipients whose call proved that nothing went are put back with their message and slot.
 * Doing it again changes nothing, for an answer that was stored and nobody heard of it.
 */
export async function settleCalls(
  context: Context,
  broadcast: Broadcast,
  answers: readonly Answered[],
  plan: Pick<SendPlan, "headerOf" | "most"> = {},
  /** The batch that these are the last answers of. */
  end: { readonly flightId: string; readonly certain: boolean } | null = null,
  /** The provider took a call of the campaign a moment ago: whom it could not be reached for now waits alone. */
  isTaking = false,
): Promise<void> {
  const now = context.clock.now();
  const judged: Judged[] = [];
  const again: PutBack[] = [];
  for (const { call, outcome } of answers) {
    if (outcome === null) again.push({ claim: call.claim, availableAt: null, tried: false });
    else {
      const { address, attempts } = call.claim;
      const partsTaken = outcome.ok ? 0 : (outcome.partsTaken ?? 0);
      judged.push({ call, verdict: judgeOutcome(outcome, address, attempts), partsTaken });
    }
  }
  for (const { call, verdict } of judged) {
    const { recipient } = verdict;
    if (recipient.kind !== "again") continue;
    const availableAt = recipient.delayMs > 0 ? new Date(now.getTime() + recipient.delayMs) : null;
    again.push({ claim: call.claim, availableAt, tried: recipient.counted });
  }
  await context.db.transaction(async (tx) => {
    // First of all, as who takes tokens locks it.
    const halvedAt = await slowNumber(context, tx, broadcast, judged, now, plan.most);
    await rememberIdentities(context, tx, knownAs(broadcast, judged));
    const events = await settleMessages(context, tx, settlementsOf(broadcast, judged, now));
    const failed = new Set(events.flatMap(failedOf));
    await moveRecipients(tx, acceptedOf(broadcast, judged), now);
    await putBack(tx, broadcast, again);
    if (end !== null) tx.later(endFlight(tx, broadcast, end.flightId, end.certain));
    if (broadcast.channelId === null) await repaySms(tx, broadcast.workspaceId, judged, failed);
    events.push(...(await recordOptOuts(context, tx, broadcast, judged, now)));
    events.push(
      ...(await judgeCampaign(context, tx, broadcast, judged, plan.headerOf ?? (() => null), {
        now,
        halvedAt,
        isTaking,
      })),
    );
    await emitEvents(context, tx, events);
  });
}

function settlementsOf(broadcast: Broadcast, judged: readonly Judged[], at: Date): Settlement[] {
  const { workspaceId, channelId } = broadcast;
  return judged.flatMap(({ call: { messageId }, verdict: { recipient } }): Settlement[] => {
    const common = { workspaceId, channelId, messageId, at };
    if (recipient.kind === "sent") {
      const { providerMessageId } = recipient;
      return [
        { ...common, providerMessageId, status: "sent", errorCode: null, errorMessage: null },
      ];
    }
    if (recipient.kind !== "failed") return [];
    const { code: errorCode, detail: errorMessage } = recipient;
    return [{ ...common, providerMessageId: null, status: "failed", errorCode, errorMessage }];
  });
}

/**
 * Acceptance moves no status (a message is `sent` from the start), so no follower hears of it: the recipients are
 * moved here. One whose delivery was told already stays where it is.
 */
function acceptedOf(broadcast: Broadcast, judged: readonly Judged[]) {
  return judged.flatMap(({ call: { claim, messageId }, verdict }) =>
    verdict.recipient.kind === "sent"
      ? {
          workspaceId: broadcast.workspaceId,
          broadcastId: broadcast.id,
          contactId: claim.contactId,
          messageId,
          to: "sent" as const,
          code: null,
          detail: null,
        }
      : [],
  );
}

function knownAs(broadcast: Broadcast, judged: readonly Judged[]): KnownAs[] {
  const { workspaceId, channelId, channelType } = broadcast;
  if (channelId === null) return [];
  return judged.flatMap(({ call: { claim }, verdict: { recipient } }) =>
    recipient.kind === "sent" && recipient.knownAs.length > 0
      ? {
          workspaceId,
          channelId,
          channelType,
          contactId: claim.contactId,
          externalIds: recipient.knownAs,
        }
      : [],
  );
}

const failedOf = (event: NewEvent): string[] =>
  event.type === "message.status" && event.data.status === "failed" ? [event.data.messageId] : [];

/**
 * What the gateway refused is not charged: each once, of those that are `failed` now and were not before. Of a text in
 * parts what it took before is.
 */
async function repaySms(
  tx: Tx,
  workspaceId: string,
  judged: readonly Judged[],
  failed: ReadonlySet<string>,
): Promise<void> {
  const segments = judged
    .filter(
      ({ call, verdict }) => verdict.recipient.kind === "failed" && failed.has(call.messageId),
    )
    .reduce(
      (sum, { call, partsTaken }) => sum + Math.max(0, (call.filled.parts ?? 1) - partsTaken),
      0,
    );
  if (segments > 0) await refundCredits(tx, workspaceId, segments);
}

function recordOptOuts(
  context: Context,
  tx: Tx,
  broadcast: Broadcast,
  judged: readonly Judged[],
  at: Date,
): Promise<NewEvent[]> {
  const { workspaceId, channelId } = broadcast;
  const channelType = broadcast.kind === "SMS" ? "SMS" : broadcast.channelType;
  return setConsent(
    context,
    tx,
    judged.flatMap(({ call, verdict: { recipient } }) => {
      if (recipient.kind !== "failed" || !recipient.optedOut) return [];
      const { contactId } = call.claim;
      const signal = { source: "platform", channelType, channelId, detail: recipient.code };
      return [{ workspaceId, contactId, optedOut: true, ...signal, at }];
    }),
  );
}

/** Until when the provider asked the account to wait, if it did, and when the latest call that it refused so was begun. */
function slowOf(judged: readonly Judged[], now: Date): { until: Date; calledAt: Date } | null {
  let waitMs = 0;
  let calledAt: Date | null = null;
  for (const { call, verdict } of judged) {
    if (verdict.campaign?.kind !== "slow") continue;
    waitMs = Math.max(waitMs, verdict.campaign.waitMs);
    if (calledAt === null || call.calledAt > calledAt) calledAt = call.calledAt;
  }
  return calledAt && { until: new Date(now.getTime() + waitMs), calledAt };
}

/**
 * The wait is the number's, so all campaigns on it wait, and its pace is halved as the campaign's is. Gives when: under
 * the number's lock, because calls that were begun while this waited for it knew nothing of the refusal either.
 */
async function slowNumber(
  context: Context,
  tx: Tx,
  broadcast: Broadcast,
  judged: readonly Judged[],
  now: Date,
  most: number | undefined,
): Promise<Date> {
  const slow = slowOf(judged, now);
  if (slow === null) return now;
  const number = await lockNumber(tx, broadcast);
  const at = context.clock.now();
  if (number !== null) {
    const halved = halveNumber(heldTo(number, most), broadcast, slow.calledAt, at);
    await updateNumber(tx, halved, slow.until);
  }
  return at;
}

/** Throttled: parked and halved once. Out of reach: parked. Refused as a whole: paused, with the channel if it is that. */
async function judgeCampaign(
  context: Context,
  tx: Tx,
  broadcast: Broadcast,
  judged: readonly Judged[],
  headerOf: NonNullable<SendPlan["headerOf"]>,
  {
    now,
    halvedAt,
    isTaking,
  }: { readonly now: Date; readonly halvedAt: Date; readonly isTaking: boolean },
): Promise<NewEvent[]> {
  const { workspaceId, channelId } = broadcast;
  const slow = slowOf(judged, now);
  if (slow !== null) {
    if (channelId !== null) await throttleChannel(tx, workspaceId, channelId, slow.until);
    await parkBroadcast(tx, broadcast, slow.until, { cause: "THROTTLED", at: now });
    await halveRate(tx, broadcast, RATE_FLOOR, slow.calledAt, halvedAt);
  }
  const unreached = judged.filter(({ verdict }) => verdict.campaign?.kind === "unreached");
  if (unreached.length > 0 && unreached.length === judged.length && !isTaking)
    await parkBroadcast(tx, broadcast, new Date(now.getTime() + UNREACHED_MS), {
      cause: "UNREACHED",
      at: now,
    });
  const unanswered = judged.every(({ verdict }) => verdict.recipient.kind === "wait");
  if (unanswered && judged.length >= UNANSWERED_FROM)
    await parkBroadcast(tx, broadcast, new Date(now.getTime() + UNANSWERED_MS), {
      cause: "UNANSWERED",
      at: now,
    });
  const events: NewEvent[] = [];
  const lost = new Set<string>();
  for (const { call, verdict } of judged) {
    const header = verdict.campaign?.kind === "header_gone" ? headerOf(call.claim.variant) : null;
    if (verdict.campaign?.kind !== "header_gone" || header === null || lost.has(header.ref))
      continue;
    lost.add(header.ref);
    await clearHeaderRef(tx, broadcast, header.ref);
    const { code, detail } = verdict.campaign;
    // Given just now and not known already: giving it again would go on for ever.
    if (call.calledAt.getTime() - header.at.getTime() < HEADER_FRESH_MS)
      events.push(...(await haltBroadcast(context, tx, broadcast, `${code}: ${detail}`)));
  }
  for (const { verdict } of judged) {
    if (verdict.campaign?.kind !== "halt") continue;
    const { code, detail, channel } = verdict.campaign;
    if (channel && channelId !== null)
      events.push(...(await failChannel(context, tx, workspaceId, channelId, { code, detail })));
    events.push(...(await haltBroadcast(context, tx, broadcast, `${code}: ${detail}`)));
    // The first refusal speaks for all: the campaign is paused by now.
    break;
  }
  return events;
}
