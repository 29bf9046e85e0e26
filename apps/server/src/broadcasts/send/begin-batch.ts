import type { Context } from "../../context.ts";
import { WINDOW_CLOSED } from "../../conversations/reply-window.ts";
import { RunAgain, type Tx } from "../../db/database.ts";
import { sql } from "../../db/sql.ts";
import { LostCommit } from "../../lib/lost-commit.ts";
import { settleMessages } from "../../messages/record/settle-messages.ts";
import { repayUnsent } from "../../messages/send/repay-unsent.ts";
import { planLookUps } from "../../messages/receive/plan-look-ups.ts";
import { emitEvents } from "../../webhooks/emit-events.ts";
import type { NewEvent } from "../../webhooks/event.ts";
import { findWorkspaces } from "../../workspaces/find-workspace.ts";
import { claimCalls, openRecipients, skipWaiting } from "../audience/recipient-store.ts";
import { openZones, usesZones } from "../audience/send-times.ts";
import {
  selectNextTry,
  selectWaiting,
  takeWaiting,
  type WaitingOf,
} from "../audience/waiting-store.ts";
import { broadcastStatusEvent, type Broadcast } from "../record/broadcast.ts";
import { moveBroadcast, parkBroadcast, type BroadcastKey } from "../record/broadcast-store.ts";
import { haltBroadcast } from "../record/halt-broadcast.ts";
import { heldTo, openBudget, type Budget } from "./number-pace.ts";
import { lockRunning, openNumber, updatePace, updateSharers } from "./pace-store.ts";
import { turnAt } from "./pace.ts";
import type { SendPlan } from "./plan-sending.ts";
import { replyWaits } from "./replies-first-store.ts";
import { needsWindow, sortWaiting, type BatchCall, type Skip } from "./sort-waiting.ts";
import { AllowanceShort, storeMessages, type Shortage } from "./store-messages.ts";

/** A call with its place: not before `placeAt`, in ms of the clock. */
export interface PlacedCall extends BatchCall {
  readonly placeAt: number;
}

export type Begun =
  | {
      readonly kind: "begun";
      readonly broadcast: Broadcast;
      readonly calls: readonly PlacedCall[];
      /** Others find the calls by it when this process is lost; `endFlight` removes it when they are over. */
      readonly flightId: string;
      /** Recipients that were skipped now. */
      readonly skipped: number;
      /** The pace allowed no more than these: when there are places for a turn again. */
      readonly restsUntil: Date | null;
    }
  | { readonly kind: "completed" }
  /** The campaign does not run, others hold the open recipients, or the allowance is used up. */
  | { readonly kind: "nothing" }
  /** It would go on, but a reply goes first. */
  | { readonly kind: "yields" }
  /** It would go on, but all places that may be taken ahead are taken. */
  | { readonly kind: "waits"; readonly restsUntil: Date };

/**
 * Claims up to `limit` waiting recipients of a running campaign and as many places of its pace, and turns them
 * into calls. It is one transaction under the lock of the campaign's row, before the first byte leaves: a pause or
 * cancel comes before this or after it, never between, and workers share one pace. Opt-out and window are checked
 * again, quota slots are taken for all at once, the messages stored in the contacts' conversations. The intent to
 * call is stored later, close to the call (`make-calls.ts`). When the allowance ends within them, those it still covers are sent and the campaign pauses with
 * the reason. A recipient that was tried before keeps its message and slot: a retry never takes a second one. When
 * nobody is open any more the campaign is completed. When it is not known whether the commit succeeded, `lost`
 * gets what may be stored, because nobody else will call it, and then `LostCommit` is thrown.
 */
export async function beginBatch(
  context: Context,
  key: BroadcastKey,
  plan: SendPlan,
  limit: number,
  lost: (begun: Begun) => Promise<void> = async () => {},
): Promise<Begun> {
  // Each round covers fewer than the one before, so this ends.
  for (let slots = limit, shortage: Shortage | null = null; ;) {
    let last: Begun | "unknown number" | undefined;
    try {
      const most = slots;
      const begun = await context.db.transaction(
        async (tx) => (last = await begin(context, tx, key, plan, { limit, slots: most })),
      );
      if (begun === "unknown number") {
        await openNumber(context.db, key);
        continue;
      }
      if (shortage !== null) await halt(context, key, shortage);
      return begun;
    } catch (error) {
      if (error instanceof LostCommit && last !== undefined && last !== "unknown number")
        await lost(last);
      if (!(error instanceof AllowanceShort)) throw error;
      ({ granted: slots, reason: shortage } = error);
      if (shortage !== "SUBSCRIPTION_SUSPENDED") continue;
      // A suspended workspace sends nothing, not even recipients that have a slot already.
      await halt(context, key, shortage);
      return { kind: "nothing" };
    }
  }
}

function halt(context: Context, key: BroadcastKey, reason: string): Promise<void> {
  return context.db.transaction(async (tx) =>
    emitEvents(context, tx, await haltBroadcast(context, tx, key, reason)),
  );
}

async function begin(
  context: Context,
  tx: Tx,
  key: BroadcastKey,
  plan: SendPlan,
  most: { readonly limit: number; readonly slots: number },
): Promise<Begun | "unknown number"> {
  const calledAt = context.clock.now();
  // A connection runs these one after the other. Each query under the campaign's lock delays the next batch.
  const [locked, replies, workspaces] = await Promise.all([
    lockRunning(tx, key, calledAt),
    replyWaits(tx, key, calledAt),
    findWorkspaces(tx, [key.workspaceId]),
  ]);
  if (locked === null) return { kind: "nothing" };
  const { broadcast, number } = locked;
  if (number === null) return "unknown number";
  if (replies) return { kind: "yields" };
  const budget = openBudget(locked.pace, heldTo(number, plan.most), broadcast, calledAt);
  const count = Math.min(most.limit, budget.count);
  const zones = usesZones(broadcast)
    ? openZones(broadcast, broadcast.zones, calledAt)
    : { open: [""], next: null };
  const found = await findWaiting(tx, broadcast, zones.open, count, calledAt);
  const waiting = found.flatMap((of) => [...of.again, ...of.fresh]);
  if (waiting.length === 0)
    return beginNothing(context, tx, key, { zones, budget, count, calledAt });

  const sorted = await sortWaiting(context, tx, broadcast, plan, waiting, most.slots, calledAt);
  const { skips, calls, unpaid } = sorted;
  for (const of of found) await takeWaiting(tx, key, of, unpaid);
  await skipWaiting(tx, key, skips, calledAt);
  const unsent = await settleSkipped(context, tx, broadcast, skips, calledAt);
  const events = [...unsent];
  // Nothing waits for their answers yet: they travel with the next statements.
  const flight = { id: context.ids.next(), processId: context.life.id };
  const marked = calls.length > 0 ? claimCalls(tx, key, flight, calls, calledAt) : 0;
  if (calls.length > 0) {
    tx.later(Promise.resolve(marked));
    events.push(...(await storeMessages(context, tx, broadcast, workspaces, calls, calledAt)));
    const messageIds = calls.map((call) => call.messageId);
    if (plan.sms) await planLookUps(tx, plan.sms, messageIds, calledAt);
  }
  // After the meter, as in every transaction that takes credits.
  if (broadcast.channelId === null) await repayUnsent(tx, unsent);
  await emitEvents(context, tx, events);
  // The campaign's lock makes this impossible. If it should happen nevertheless, nothing is called without its
  // claim.
  if ((await marked) !== calls.length) throw new RunAgain("recipients moved under their campaign");
  // Last, and with the present time, so that only the commit comes between a place and its call.
  const now = context.clock.now();
  const taken = budget.take(calls.length, now);
  if (calls.length > 0) tx.later(updatePace(tx, key, taken.own, taken.number));
  const placed = calls.map((call, n) => ({ ...call, placeAt: taken.places[n] ?? 0 }));
  const spent = budget.count < most.limit && waiting.length >= budget.count;
  const restsUntil = spent ? turnAt(taken.next, now) : null;
  const skipped = skips.length;
  return { kind: "begun", broadcast, calls: placed, flightId: flight.id, skipped, restsUntil };
}

/** Up to `count` recipients that wait in these zones, by zone. */
async function findWaiting(
  tx: Tx,
  broadcast: Broadcast,
  zones: readonly string[],
  count: number,
  at: Date,
): Promise<WaitingOf[]> {
  const found: WaitingOf[] = [];
  const window = needsWindow(broadcast) ? broadcast.channelId : null;
  let left = count;
  for (const zone of zones) {
    if (left <= 0) break;
    const of = await selectWaiting(tx, broadcast, window, left, at, zone);
    found.push(of);
    left -= of.again.length + of.fresh.length;
  }
  return found;
}

/** No recipient can be called now: the campaign is completed, sleeps until a zone opens, or rests for its pace. */
async function beginNothing(
  context: Context,
  tx: Tx,
  key: BroadcastKey,
  options: {
    readonly zones: { readonly open: readonly string[]; readonly next: Date | null };
    readonly budget: Budget;
    /** How many places there were for it. */
    readonly count: number;
    readonly calledAt: Date;
  },
): Promise<Begun> {
  const { zones, budget, count, calledAt } = options;
  const begun = await complete(context, tx, key, calledAt);
  if (begun.kind === "nothing" && (count > 0 || zones.open.length === 0))
    await sleep(tx, key, zones, calledAt);
  if (begun.kind === "nothing" && budget.wanting !== null)
    await updateSharers(tx, key, budget.wanting, zones.open, calledAt);
  if (begun.kind !== "nothing" || count > 0) return begun;
  return { kind: "waits", restsUntil: turnAt(budget.next, context.clock.now()) };
}

/** A recipient that was tried before has a message in the conversation, which must not be shown as sent. */
function settleSkipped(
  context: Context,
  tx: Tx,
  broadcast: Broadcast,
  skips: readonly Skip[],
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

/**
 * New places for calls that missed theirs (the process hung). The old ones are lost, so that no second holds more
 * than the pace. Null: the campaign no longer runs, or waits.
 */
export function takePlaces(
  context: Context,
  key: BroadcastKey,
  plan: Pick<SendPlan, "most">,
  count: number,
): Promise<readonly number[] | null> {
  return context.db.transaction(async (tx) => {
    const locked = await lockRunning(tx, key, context.clock.now());
    if (locked === null || locked.number === null) return null;
    const { pace, number, broadcast } = locked;
    const now = context.clock.now();
    const taken = openBudget(pace, heldTo(number, plan.most), broadcast, now).take(count, now);
    await updatePace(tx, key, taken.own, taken.number);
    return taken.places;
  });
}

/** All zones of the waiting recipients are closed: the campaign sleeps until the first of them opens. */
async function sleep(
  tx: Tx,
  key: BroadcastKey,
  { open, next }: { readonly open: readonly string[]; readonly next: Date | null },
  at: Date,
): Promise<void> {
  if (next === null) return;
  const tries = await selectNextTry(tx, key, open, at);
  if (tries.busy || (tries.next !== null && tries.next <= at)) return;
  const until = tries.next !== null && tries.next < next ? tries.next : next;
  await parkBroadcast(tx, key, until, { cause: "RECIPIENTS_TIME", at });
}

/** Completes a running campaign without open recipients, and emits the event. */
export async function complete(
  context: Context,
  tx: Tx,
  key: BroadcastKey,
  at: Date,
): Promise<Begun> {
  const moved = await moveBroadcast(tx, key, "complete", { at }, sql`not ${openRecipients}`);
  if (moved === null) return { kind: "nothing" };
  await emitEvents(context, tx, [broadcastStatusEvent(moved.broadcast, moved.previousStatus, at)]);
  return { kind: "completed" };
}
