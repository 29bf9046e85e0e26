import type { Context } from "../../context.ts";
import type { Tx } from "../../db/database.ts";
import { latestFor } from "../../lib/clock.ts";
import { settleMessages } from "../../messages/record/settle-messages.ts";
import { emitEvents } from "../../webhooks/emit-events.ts";
import type { NewEvent } from "../../webhooks/event.ts";
import { EVIDENCE_WAIT_MS, OUTCOME_UNKNOWN } from "../audience/recipient.ts";
import {
  callNow,
  endFlights,
  selectAbandoned,
  selectFuture,
  selectHeard,
  selectUnheard,
  type OpenMessage,
} from "./flight-store.ts";
import { lockCampaigns, moveRecipients } from "../audience/recipient-store.ts";
import { repayUnsent } from "../../messages/send/repay-unsent.ts";

const AT_ONCE = 500;

/**
 * Clears up after workers that died (contract §5, Recipients): calls of which the platform has told us count as
 * sent; calls without evidence for 15 minutes fail as OUTCOME_UNKNOWN. Also settles what waits for a retry in a
 * cancelled campaign. Gives how many it moved.
 */
export async function sweepRecipients(context: Context): Promise<number> {
  const now = context.clock.now();
  let moved = await context.db.transaction(async (tx) => {
    const heard = await selectHeard(tx, AT_ONCE);
    if (heard.length > 0)
      await moveRecipients(
        tx,
        heard.map((one) => ({ ...one, to: "sent" as const, code: null, detail: null })),
        now,
      );
    return heard.length;
  });
  moved += await giveUp(
    context,
    OUTCOME_UNKNOWN,
    "No answer came to the send and the platform told nothing of it. It may have arrived.",
    (tx) => selectUnheard(tx, new Date(now.getTime() - EVIDENCE_WAIT_MS), AT_ONCE),
  );
  moved += await giveUp(
    context,
    "BROADCAST_CANCELLED",
    "The campaign was cancelled before this could be sent.",
    (tx) => selectAbandoned(tx, AT_ONCE),
    repayUnsent,
  );
  await endFlights(context.db);
  return moved;
}

/**
 * Calls that began while a clock stood far ahead count as begun now: evidence has the 15 minutes from now on. Gives how
 * many batches.
 */
export async function forgetFutureCalls(tx: Tx, now: Date): Promise<number> {
  const latest = latestFor(now, 0);
  const keys = await selectFuture(tx, latest);
  if (keys.length === 0) return 0;
  await lockCampaigns(tx, keys);
  return callNow(tx, keys, latest, now);
}

function giveUp(
  context: Context,
  code: string,
  words: string,
  select: (tx: Tx) => Promise<OpenMessage[]>,
  repay: (tx: Tx, events: readonly NewEvent[]) => Promise<void> = async () => {},
): Promise<number> {
  return context.db.transaction(async (tx) => {
    const messages = await select(tx);
    const events = await settleMessages(
      context,
      tx,
      messages.map(({ workspaceId, messageId, channelId }) => ({
        workspaceId,
        messageId,
        channelId,
        providerMessageId: null,
        status: "failed",
        at: context.clock.now(),
        errorCode: code,
        errorMessage: words,
      })),
    );
    await repay(tx, events);
    await emitEvents(context, tx, events);
    return messages.length;
  });
}
