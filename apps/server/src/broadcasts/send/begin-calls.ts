import { optedOutAmong } from "../../contacts/consent/opted-out-numbers.ts";
import type { Context } from "../../context.ts";
import { RunAgain, type Tx } from "../../db/database.ts";
import { sql } from "../../db/sql.ts";
import { LostCommit } from "../../lib/lost-commit.ts";
import { planLookUps } from "../../sms/plan-look-ups.ts";
import { findWorkspaces } from "../../workspaces/find-workspace.ts";
import { emitEvents } from "../../webhooks/emit-events.ts";
import { broadcastStatusEvent, type Broadcast } from "../record/broadcast.ts";
import { moveBroadcast, parkBroadcast, type BroadcastKey } from "../record/broadcast-store.ts";
import { haltBroadcast } from "../record/halt-broadcast.ts";
import { replyWaits } from "./replies-first-store.ts";
import { heldTo, openBudget } from "./number-pace.ts";
import { lockRunning, openNumber, updatePace, updateSharers } from "./pace-store.ts";
import { turnAt } from "./pace.ts";
import type { SendPlan } from "./plan-sending.ts";
import type { SkipReason } from "../audience/recipient.ts";
import { markCalled, openRecipients, skipWaiting } from "../audience/recipient-store.ts";
import { openZones, usesZones } from "../audience/send-times.ts";
import { splitRendering } from "../audience/split.ts";
import { repayUnsent } from "../../messages/send/repay-unsent.ts";
import {
  AllowanceShort,
  settleSkipped,
  storeMessages,
  type Call,
  type PlacedCall,
  type Shortage,
} from "./store-calls.ts";
import {
  selectNextTry,
  selectWaiting,
  takeWaiting,
  type Waiting,
  type WaitingOf,
} from "../audience/waiting-store.ts";

export type { Call, PlacedCall } from "./store-calls.ts";

export type Begun =
  | {
      readonly kind: "begun";
      readonly broadcast: Broadcast;
      readonly calls: readonly PlacedCall[];
      /** What the sweep finds the calls by; `endFlight` when they are over. */
      readonly flightId: string;
      /** Recipients that were skipped now. */
      readonly skipped: number;
      /** The pace allowed no more than these: when there is a turn's worth again. */
      readonly restsUntil: Date | null;
    }
  | { readonly kind: "completed" }
  /** It does not run, others hold what is open, or the allowance is spent. */
  | { readonly kind: "nothing" }
  /** It would go on: a reply goes first. */
  | { readonly kind: "yields" }
  /** It would go on: all places that are taken ahead are taken. */
  | { readonly kind: "waits"; readonly restsUntil: Date };

/**
 * Takes up to `limit` waiting recipients of a running campaign and as many places of its pace, and turns them into
 * calls, in one transaction under the lock of the campaign's row and before the first byte leaves: a pause or cancel
 * comes before this or after it, never between, and workers share one pace. Opt-out and window are looked at again,
 * quota slots are taken for all at once, the messages stored in the contacts' conversations, the intent to call
 * committed. When the allowance ends within them, those it still covers go and the campaign pauses with the reason.
 * A recipient that was tried before keeps its message and slot: a retry never takes a second one. When nobody is
 * open any more the campaign is completed. When it is not known whether it was committed, `lost` is given what may be
 * there, for nobody else will call it, before `LostCommit` is thrown.
 */
export async function beginCalls(
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
      // The suspended send nothing, not even what has its slot already.
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
  // One after the other, as a connection does; all that is asked under the campaign's lock costs the next batch a wait.
  const [locked, replies, workspaces] = await Promise.all([
    lockRunning(tx, key, calledAt),
    replyWaits(tx, key, calledAt),
    findWorkspaces(tx, [key.workspaceId]),
  ]);
  if (locked === null) return { kind: "nothing" };
  const { broadcast, number } = locked;
  if (number === null) return "unknown number";
  const budget = openBudget(locked.pace, heldTo(number, plan.most), broadcast, calledAt);
  const { channelId, channelType } = broadcast;
  const windowed = broadcast.kind === "TEXT" && channelType === "WHATSAPP";
  if (replies) return { kind: "yields" };
  const count = Math.min(most.limit, budget.count);
  const zones = usesZones(broadcast)
    ? openZones(broadcast, broadcast.zones, calledAt)
    : { open: [""], next: null };
  const found: WaitingOf[] = [];
  const waiting: Waiting[] = [];
  for (const zone of zones.open) {
    const left = count - waiting.length;
    if (left <= 0) break;
    const window = windowed ? channelId : null;
    const of = await selectWaiting(tx, key, window, left, calledAt, zone);
    found.push(of);
    waiting.push(...of.again, ...of.fresh);
  }
  if (waiting.length === 0) {
    const begun = await complete(context, tx, key, calledAt);
    if (begun.kind === "nothing" && (count > 0 || zones.open.length === 0))
      await sleep(tx, key, zones, calledAt);
    if (begun.kind === "nothing" && budget.wanting !== null)
      await updateSharers(tx, key, budget.wanting, zones.open, calledAt);
    if (begun.kind !== "nothing" || count > 0) return begun;
    return { kind: "waits", restsUntil: turnAt(budget.next, context.clock.now()) };
  }

  const formerly = await formerNumbersOut(context, tx, broadcast, waiting);
  const skips: { claim: Waiting; reason: SkipReason }[] = [];
  const calls: (Call & { readonly claim: Waiting })[] = [];
  // Whose slots are spent.
  const left = new Set<string>();
  const rendering = splitRendering(broadcast);
  let slots = most.slots;
  for (const claim of waiting) {
    const rendered = rendering.render(claim.variant, claim.content ?? []);
    if (claim.gone) skips.push({ claim, reason: "no_address" });
    else if (claim.optedOut || formerly.has(claim.address))
      skips.push({ claim, reason: "opted_out" });
    else if (windowed && !(claim.windowExpiresAt && claim.windowExpiresAt > calledAt))
      skips.push({ claim, reason: "window_closed" });
    else if (rendered === null) skips.push({ claim, reason: "missing_variable" });
    else if (claim.messageId !== null || slots-- > 0) {
      const messageId = claim.messageId ?? context.ids.next();
      calls.push({ claim, messageId, filled: plan.fill(rendered, claim.variant), calledAt });
    } else left.add(claim.contactId);
  }
  for (const of of found) await takeWaiting(tx, key, of, left);
  await skipWaiting(tx, key, skips, calledAt);
  const unsent = await settleSkipped(context, tx, broadcast, skips, calledAt);
  const events = [...unsent];
  const flightId = context.ids.next();
  // Nobody waits for their answers yet: they travel with what follows.
  const marked = calls.length > 0 ? markCalled(tx, key, flightId, calls, calledAt) : 0;
  if (calls.length > 0) {
    tx.later(Promise.resolve(marked));
    events.push(...(await storeMessages(context, tx, broadcast, workspaces, calls, calledAt)));
    const messageIds = calls.map((call) => call.messageId);
    if (plan.sms) await planLookUps(tx, plan.sms, messageIds, calledAt);
  }
  // After the meter, as who takes credits does.
  if (channelId === null) await repayUnsent(tx, unsent);
  await emitEvents(context, tx, events);
  // The lock of the campaign sees to it; should it ever not, nothing is called without its intent.
  if ((await marked) !== calls.length) throw new RunAgain("recipients moved under their campaign");
  // Last, and with the time of now: so nothing but the commit comes between a place and its call.
  const now = context.clock.now();
  const taken = budget.take(calls.length, now);
  if (calls.length > 0) tx.later(updatePace(tx, key, taken.own, taken.number));
  const placed = calls.map((call, n) => ({ ...call, placeAt: taken.places[n] ?? 0 }));
  const spent = budget.count < most.limit && waiting.length >= budget.count;
  const restsUntil = spent ? turnAt(taken.next, now) : null;
  return { kind: "begun", broadcast, calls: placed, flightId, skipped: skips.length, restsUntil };
}

/**
 * New places for so many calls that missed theirs (the process stood still): the old ones are lost, so that no second
 * holds more than the pace. Null: the campaign does not run any more, or waits.
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

/** Numbers that the audience was stored with, whose contacts have another by now, and that are opted out. */
async function formerNumbersOut(
  context: Pick<Context, "sealer">,
  tx: Tx,
  { workspaceId, channelType }: Broadcast,
  waiting: readonly Waiting[],
): Promise<ReadonlyMap<string, Date>> {
  // There a message goes to an id.
  if (channelType === "TELEGRAM") return new Map();
  const former = waiting.flatMap(({ renumbered, address }) => (renumbered ? [address] : []));
  return optedOutAmong(context, tx, workspaceId, former);
}

/** Everybody who is left lives where it is not yet time: the campaign is looked at again when it is somewhere. */
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

/** Completes a running campaign of which nobody is open, and tells so. */
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
