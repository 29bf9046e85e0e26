import type { Context } from "../../context.ts";
import type { Tx } from "../../db/database.ts";
import { settleMessages, type Settlement } from "../../messages/record/settle-messages.ts";
import { judgeOutcome, type Judgement } from "../../sending/judge-outcome.ts";
import { settleOutcomes } from "../../sending/settle-outcomes.ts";
import { refundCredits } from "../../workspaces/credits.ts";
import { emitEvents } from "../../webhooks/emit-events.ts";
import type { NewEvent } from "../../webhooks/event.ts";
import { moveRecipients, putBack, type PutBack } from "../audience/recipient-store.ts";
import type { Broadcast } from "../record/broadcast.ts";
import { halveRate, parkBroadcast } from "../record/broadcast-store.ts";
import { haltBroadcast } from "../record/halt-broadcast.ts";
import { clearHeaderRef } from "../text/header-store.ts";
import type { BatchCall } from "./sort-waiting.ts";
import { endFlight } from "./flight-store.ts";
import type { Answered } from "./make-calls.ts";
import { halveNumber, heldTo } from "./number-pace.ts";
import { RATE_FLOOR } from "./pace.ts";
import { lockNumber, updateNumber } from "./pace-store.ts";
import type { SendPlan } from "./plan-sending.ts";

/** How long a campaign waits when the provider could be reached for none of these and accepted none a moment ago. */
const UNREACHED_MS = 5_000;
/**
 * How long it waits when the provider answered none of `UNANSWERED_FROM` calls or more. Each of them may end as
 * OUTCOME_UNKNOWN, and ten minutes without the provider must not do that to the whole audience.
 */
const UNANSWERED_MS = 60_000;
const UNANSWERED_FROM = 5;

/** A header's file that is refused this soon after its upload will be refused again. */
const HEADER_FRESH_MS = 60_000;
/** The platform no longer has the file of a template's header (`uploadMedia` of the adapter). */
const MEDIA_GONE = "MEDIA_GONE";

interface Judged {
  readonly call: BatchCall;
  readonly judgement: Judgement;
  /** Parts of its text that were accepted although it failed. */
  readonly partsTaken: number;
}

/** How the batch goes on after these answers. */
interface Progress {
  /** Set with the last answers of a batch; `certain`: each of its calls was sent. */
  readonly end?: { readonly flightId: string; readonly certain: boolean } | null;
  /**
   * The provider accepted a call of this campaign a moment ago. When the next call does not reach it, that one
   * recipient waits, and the campaign goes on.
   */
  readonly isTaking?: boolean;
}

/**
 * Stores the outcomes of a batch of calls in one transaction: messages, recipients, counts, and their meaning for
 * the campaign and its channel. When a call proved that nothing was sent, its recipient is put back with its
 * message and slot. Storing the same answers again changes nothing.
 */
export async function settleBatch(
  context: Context,
  broadcast: Broadcast,
  answers: readonly Answered[],
  plan: Pick<SendPlan, "headerOf" | "most" | "secretsSince">,
  { end = null, isTaking = false }: Progress = {},
): Promise<void> {
  const now = context.clock.now();
  const judged = answers.flatMap(({ call, outcome }): Judged[] => {
    if (outcome === null) return [];
    const { address: to, attempts } = call.claim;
    const judgement = judgeOutcome(outcome, { to, road: "campaign", calls: attempts + 1 });
    return [{ call, judgement, partsTaken: outcome.ok ? 0 : (outcome.partsTaken ?? 0) }];
  });
  await context.db.transaction(async (tx) => {
    // First of all, because a beginning batch locks the number before its campaign.
    const halvedAt = await slowNumber(context, tx, broadcast, judged, now, plan.most);
    const calls = judged.map(({ call: { claim }, judgement }) => ({
      workspaceId: broadcast.workspaceId,
      recipient: { contactId: claim.contactId },
      channelId: broadcast.channelId,
      channelType: broadcast.kind === "SMS" ? "SMS" : broadcast.channelType,
      secretsSince: plan.secretsSince,
      judgement,
    }));
    const events = await settleOutcomes(context, tx, calls, async () => {
      const moved = await storeAnswers(context, tx, broadcast, answers, judged, now);
      if (end !== null) tx.later(endFlight(tx, broadcast, end.flightId, end.certain));
      const times = { now, halvedAt, isTaking };
      const told = await judgeCampaign(context, tx, broadcast, judged, plan, times);
      return [...moved, ...told];
    });
    await emitEvents(context, tx, events);
  });
}

/**
 * A failure of something that all calls of the campaign share (its account, its template) says nothing of the
 * recipient: it waits, and a resumed campaign sends it. Failing it would lose the audience batch by batch. A
 * recipient that got some parts of its text fails all the same.
 */
const staysWaiting = ({ judgement: { wider }, partsTaken }: Judged): boolean =>
  partsTaken === 0 && wider !== null && wider.kind !== "unreached";

/** Stores messages, recipients and the cost of an SMS. */
async function storeAnswers(
  context: Context,
  tx: Tx,
  broadcast: Broadcast,
  answers: readonly Answered[],
  judged: readonly Judged[],
  now: Date,
): Promise<NewEvent[]> {
  const again: PutBack[] = answers.flatMap(({ call: { claim }, outcome }) =>
    outcome === null ? [{ claim, availableAt: null, tried: false }] : [],
  );
  for (const one of judged) {
    const { claim } = one.call;
    const { message } = one.judgement;
    if (staysWaiting(one)) again.push({ claim, availableAt: null, tried: false });
    else if (message.kind === "again") {
      const availableAt = new Date(now.getTime() + message.afterMs);
      again.push({ claim, availableAt, tried: true });
    }
  }
  const ended = judged.filter((one) => !staysWaiting(one));
  const settlements = ended.flatMap((one) => settlementOf(broadcast, one, now));
  const events = await settleMessages(context, tx, settlements);
  await moveRecipients(tx, acceptedOf(broadcast, ended), now);
  await putBack(tx, broadcast, again);
  if (broadcast.channelId === null) {
    const failed = new Set(events.flatMap(failedOf));
    await repaySms(tx, broadcast.workspaceId, ended, failed);
  }
  return events;
}

function settlementOf(broadcast: Broadcast, { call, judgement }: Judged, at: Date): Settlement[] {
  const { workspaceId, channelId } = broadcast;
  const { message } = judgement;
  const common = { workspaceId, channelId, messageId: call.messageId, at };
  if (message.kind === "sent") {
    const { providerMessageId } = message;
    return [{ ...common, providerMessageId, status: "sent", errorCode: null, errorMessage: null }];
  }
  if (message.kind !== "failed") return [];
  const { code: errorCode, detail: errorMessage } = message;
  return [{ ...common, providerMessageId: null, status: "failed", errorCode, errorMessage }];
}

/**
 * Acceptance changes no status (a message is `sent` from the start), so no follower is called: the recipients are
 * moved here. One whose delivery was reported already stays as it is.
 */
function acceptedOf({ workspaceId, id: broadcastId }: Broadcast, ended: readonly Judged[]) {
  return ended.flatMap(({ call: { claim, messageId }, judgement }) => {
    if (judgement.message.kind !== "sent") return [];
    const { contactId } = claim;
    const to = "sent" as const;
    return [{ workspaceId, broadcastId, contactId, messageId, to, code: null, detail: null }];
  });
}

const failedOf = (event: NewEvent): string[] =>
  event.type === "message.status" && event.data.status === "failed" ? [event.data.messageId] : [];

/**
 * Refunds messages that the gateway refused: those that became `failed` now, each once. Parts of a text that the
 * gateway had already accepted stay charged.
 */
async function repaySms(
  tx: Tx,
  workspaceId: string,
  ended: readonly Judged[],
  failed: ReadonlySet<string>,
): Promise<void> {
  const segments = ended
    .filter(
      ({ call, judgement }) => judgement.message.kind === "failed" && failed.has(call.messageId),
    )
    .reduce(
      (sum, { call, partsTaken }) => sum + Math.max(0, (call.filled.parts ?? 1) - partsTaken),
      0,
    );
  if (segments > 0) await refundCredits(tx, workspaceId, segments);
}

/**
 * The time until which the provider asked the account to wait, and when the latest refused call was begun. Null:
 * it did not ask.
 */
function slowOf(judged: readonly Judged[], now: Date): { until: Date; calledAt: Date } | null {
  let waitMs = 0;
  let calledAt: Date | null = null;
  for (const { call, judgement } of judged) {
    if (judgement.wider?.kind !== "throttled") continue;
    waitMs = Math.max(waitMs, judgement.wider.waitMs);
    if (calledAt === null || call.calledAt > calledAt) calledAt = call.calledAt;
  }
  return calledAt && { until: new Date(now.getTime() + waitMs), calledAt };
}

/**
 * The wait is the number's, so all campaigns on it wait, and its pace is halved as the campaign's is. Gives the
 * time, read under the number's lock: calls that were begun while this waited for the lock knew nothing of the
 * refusal either.
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

/** Throttled: parked and halved once. Out of reach: parked. Refused as a whole: paused. */
async function judgeCampaign(
  context: Context,
  tx: Tx,
  broadcast: Broadcast,
  judged: readonly Judged[],
  plan: Pick<SendPlan, "headerOf">,
  times: { readonly now: Date; readonly halvedAt: Date; readonly isTaking: boolean },
): Promise<NewEvent[]> {
  const { now: at, halvedAt, isTaking } = times;
  const park = (ms: number, cause: "UNREACHED" | "UNANSWERED") =>
    parkBroadcast(tx, broadcast, new Date(at.getTime() + ms), { cause, at });
  const slow = slowOf(judged, at);
  if (slow !== null) {
    await parkBroadcast(tx, broadcast, slow.until, { cause: "THROTTLED", at });
    await halveRate(tx, broadcast, RATE_FLOOR, slow.calledAt, halvedAt);
  }
  const unreached = judged.every(({ judgement }) => judgement.wider?.kind === "unreached");
  if (unreached && judged.length > 0 && !isTaking) await park(UNREACHED_MS, "UNREACHED");
  const unanswered = judged.every(({ judgement }) => judgement.message.kind === "unknown");
  if (unanswered && judged.length >= UNANSWERED_FROM) await park(UNANSWERED_MS, "UNANSWERED");
  const events = await forgetHeaders(context, tx, broadcast, judged, plan.headerOf);
  // The first refusal speaks for all: the campaign is paused by it.
  const [refusal] = judged.flatMap(({ judgement: { wider } }) =>
    wider?.kind === "channel_fault" || (wider?.kind === "refused" && wider.code !== MEDIA_GONE)
      ? [wider]
      : [],
  );
  if (refusal) {
    const reason = `${refusal.code}: ${refusal.detail}`;
    events.push(...(await haltBroadcast(context, tx, broadcast, reason)));
  }
  return events;
}

/** Headers' files that the platform no longer has are uploaded again before the next batch. */
async function forgetHeaders(
  context: Context,
  tx: Tx,
  broadcast: Broadcast,
  judged: readonly Judged[],
  headerOf: SendPlan["headerOf"],
): Promise<NewEvent[]> {
  const events: NewEvent[] = [];
  const lost = new Set<string>();
  for (const { call, judgement } of judged) {
    const { wider } = judgement;
    if (wider?.kind !== "refused" || wider.code !== MEDIA_GONE) continue;
    const header = headerOf?.(call.claim.variant) ?? null;
    if (header === null || lost.has(header.ref)) continue;
    lost.add(header.ref);
    await clearHeaderRef(tx, broadcast, header.ref);
    // Uploaded just now and lost already: uploading it again would go on for ever.
    if (call.calledAt.getTime() - header.at.getTime() < HEADER_FRESH_MS) {
      const reason = `${wider.code}: ${wider.detail}`;
      events.push(...(await haltBroadcast(context, tx, broadcast, reason)));
    }
  }
  return events;
}
