import type { Context } from "../../context.ts";
import type { Tx } from "../../db/database.ts";
import { latestFor } from "../../lib/clock.ts";
import { settleMessages } from "../../messages/record/settle-messages.ts";
import { emitEvents } from "../../webhooks/emit-events.ts";
import { EVIDENCE_WAIT_MS, giveUpLost } from "../../sending/give-up-lost.ts";
import {
  callNow,
  cutFlights,
  endFlights,
  selectAbandoned,
  selectFuture,
  selectHeard,
  selectUnbegun,
  selectUnheard,
  type FlightsOf,
} from "./flight-store.ts";
import { ROADS } from "../../sending/judge-outcome.ts";
import { lockCampaigns, moveRecipients, putBack } from "../audience/recipient-store.ts";
import { repayUnsent } from "../../messages/send/repay-unsent.ts";

const AT_ONCE = 500;

/**
 * Clears up after workers that died (contract §5, Recipients): calls that have not begun are made by another; those that
 * the platform has reported on count as sent; those without a report in 15 minutes are given up. Also fails messages that wait for a retry in a
 * cancelled campaign. Gives how many it moved.
 */
export async function sweepRecipients(context: Context): Promise<number> {
  const now = context.clock.now();
  const { startWithinMs } = ROADS.campaign;
  // Its worker makes none of them any more, whether or not it lives.
  const before = new Date(now.getTime() - startWithinMs);
  let moved = await context.db.transaction((tx) => freeUnbegun(tx, { before }));
  moved += await context.db.transaction(async (tx) => {
    const heard = await selectHeard(tx, AT_ONCE);
    if (heard.length > 0)
      await moveRecipients(
        tx,
        heard.map((one) => ({ ...one, to: "sent" as const, code: null, detail: null })),
        now,
      );
    return heard.length;
  });
  moved += await giveUpLost(context, {
    select: (tx, at, limit) => selectUnheard(tx, new Date(at.getTime() - EVIDENCE_WAIT_MS), limit),
    fail: (tx, calls, word) =>
      settleMessages(
        context,
        tx,
        calls.map((call) => ({ ...call, ...word })),
      ),
  });
  moved += await failAbandoned(context);
  await endFlights(context.db);
  return moved;
}

/** Frees the calls that a lost process had claimed and not begun. Gives how many. */
export const freeCalls = (tx: Tx, processId: string): Promise<number> =>
  freeUnbegun(tx, { processId });

/** Their recipients wait again, with their messages and slots. */
async function freeUnbegun(tx: Tx, of: FlightsOf): Promise<number> {
  const keys = await selectUnbegun(tx, of);
  if (keys.length === 0) return 0;
  await lockCampaigns(tx, keys);
  let freed = 0;
  for (const key of keys) {
    const claims = await cutFlights(tx, key, of);
    await putBack(
      tx,
      key,
      claims.map((claim) => ({ claim, availableAt: null, tried: false })),
    );
    freed += claims.length;
  }
  return freed;
}

/** Messages of cancelled campaigns that wait for another try, which will not come. */
function failAbandoned(context: Context): Promise<number> {
  return context.db.transaction(async (tx) => {
    const messages = await selectAbandoned(tx, AT_ONCE);
    const word = {
      status: "failed",
      at: context.clock.now(),
      providerMessageId: null,
      errorCode: "BROADCAST_CANCELLED",
      errorMessage: "The campaign was cancelled before this could be sent.",
    } as const;
    const settlements = messages.map((message) => ({ ...message, ...word }));
    const events = await settleMessages(context, tx, settlements);
    await repayUnsent(tx, events);
    await emitEvents(context, tx, events);
    return messages.length;
  });
}

/**
 * Calls that began while a clock was far ahead count as begun now: the 15 minutes for evidence start now. Gives
 * how many batches.
 */
export async function forgetFutureCalls(tx: Tx, now: Date): Promise<number> {
  const latest = latestFor(now, 0);
  const keys = await selectFuture(tx, latest);
  if (keys.length === 0) return 0;
  await lockCampaigns(tx, keys);
  return callNow(tx, keys, latest, now);
}
