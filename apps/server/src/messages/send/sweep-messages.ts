import { sweepConsent } from "../../contacts/consent/change-consent.ts";
import { hashUnownedNumbers } from "../../contacts/identity/hash-unowned-numbers.ts";
import { mergeDue } from "../../contacts/identity/merge-contacts.ts";
import type { Context } from "../../context.ts";
import type { Tx } from "../../db/database.ts";
import { emitEvents } from "../../webhooks/emit-events.ts";
import { EVIDENCE_WAIT_MS, giveUpLost } from "../../sending/give-up-lost.ts";
import {
  countFailure,
  dropFailure,
  readItem,
  selectDueFailures,
} from "../receive/inbound-failure-store.ts";
import { pruneParked, popMatchedStatuses } from "../receive/early-status-store.ts";
import { deleteExpired, releaseClaimsOf, releaseLeases, selectExpired } from "./outbox-store.ts";
import { sweepChanges } from "../receive/receive-change.ts";
import { receiveEvent } from "../receive/receive-events.ts";
import { settleMessages } from "../record/settle-messages.ts";

export { forgetFutureReplies } from "./outbox-store.ts";

const DAY = 24 * 3_600_000;
/**
 * How far the sweep looks back for rows of two transactions that ran at the same moment and missed each other. Nearly
 * always these rows are seconds old. The long look finds those of a transaction that was held up. It runs seldom,
 * because every look reads all rows of its time again: after an import of 250,000 contacts, some of them opted out,
 * each look took 65 ms, for ten minutes.
 */
const LOOK_BACK_MS = { short: 30_000, long: 10 * 60_000 } as const;
export type LookBack = keyof typeof LOOK_BACK_MS;

/**
 * Ends what a stopped worker or a silent platform left open (reliability.md 3.5, 3.6): leases that ran out, replies
 * without evidence after 15 minutes, reports whose message got its id at the same moment, and reports older than a day.
 * Tries again what could not be taken in. Gives how many rows it handled; 0 when there was nothing.
 */
export async function sweepMessages(context: Context, lookBack: LookBack): Promise<number> {
  const now = context.clock.now();
  const since = new Date(now.getTime() - LOOK_BACK_MS[lookBack]);
  let moved = await releaseLeases(context.db, now, new Date(now.getTime() + EVIDENCE_WAIT_MS));
  if (moved > 0) context.wake.nudge("messages");
  moved += await expireUnknown(context);
  moved += await matchParked(context, since);
  moved += await retryInbound(context);
  moved += await sweepChanges(context);
  moved += await sweepConsent(context, since);
  moved += await hashUnownedNumbers(context, new Date(now.getTime() - LOOK_BACK_MS.long));
  moved += await mergeDue(context);
  return moved + (await pruneParked(context.db, new Date(now.getTime() - DAY)));
}

/**
 * Frees the replies that a process which is gone had claimed. A reply whose call was begun is not sent again: it waits
 * for the platform's report, and does not block its conversation. Gives how many.
 */
export function freeReplies(tx: Tx, processId: string, now: Date): Promise<number> {
  return releaseClaimsOf(tx, processId, new Date(now.getTime() + EVIDENCE_WAIT_MS));
}

/**
 * Fails replies for which no evidence came. The fence protects a reply that went on meanwhile: its outbox row is gone,
 * and the failure does not count.
 */
const expireUnknown = (context: Context): Promise<number> =>
  giveUpLost(context, {
    select: selectExpired,
    async fail(tx, expired, word) {
      const settlements = expired.map(({ id: messageId, ...call }) => ({
        ...call,
        messageId,
        ...word,
      }));
      const events = await settleMessages(context, tx, settlements);
      // A row whose message is gone would come up for ever.
      await deleteExpired(tx, expired);
      return events;
    },
  });

/** Applies reports that were parked while another transaction stored the id of their message. */
function matchParked(context: Context, since: Date): Promise<number> {
  return context.db.transaction(async (tx) => {
    const parked = await popMatchedStatuses(tx, since, 500);
    const settlements = parked.map((one) => ({ ...one, messageId: null }));
    await emitEvents(context, tx, await settleMessages(context, tx, settlements));
    return parked.length;
  });
}

async function retryInbound(context: Context): Promise<number> {
  const due = await selectDueFailures(context.db, context.clock.now());
  for (const { id, body } of due) {
    try {
      await receiveEvent(context, readItem(body));
      await dropFailure(context.db, id);
    } catch (error) {
      await countFailure(context.db, id, error);
    }
  }
  return due.length;
}
