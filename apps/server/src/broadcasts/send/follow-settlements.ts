import type { Context, MessageChange, SettlementFollower } from "../../context.ts";
import type { Tx } from "../../db/database.ts";
import type { NewEvent } from "../../webhooks/event.ts";
import { haltBroadcast } from "../record/halt-broadcast.ts";
import { describeRate, worstStretch } from "./failure-rate.ts";
import { selectCalledAround } from "./failure-store.ts";
import { moveRecipients } from "../audience/recipient-store.ts";

/**
 * Moves recipients and the counts of their campaigns with the messages, in the transaction that moved those.
 * Sends, platform callbacks and give-ups all use it. A failure that concerns the template or the whole account
 * stops the campaign (contract §5); this recipient's message has failed all the same.
 */
export const followSettlements: SettlementFollower = async (context, tx, changes) => {
  const ours = changes.flatMap((change) => ofCampaign(change) ?? []);
  if (ours.length === 0) return [];
  // One message may have moved twice in a batch: its last status counts.
  const last = new Map(ours.map((change) => [`${change.workspaceId}/${change.messageId}`, change]));
  await moveRecipients(
    tx,
    [...last.values()].map((change) => ({
      workspaceId: change.workspaceId,
      broadcastId: change.broadcastId,
      contactId: change.recipientId,
      messageId: change.messageId,
      to: change.to,
      code: change.errorCode,
      detail: change.errorMessage,
    })),
    context.clock.now(),
  );
  const byCampaign = Map.groupBy(
    ours.filter(({ to }) => to === "failed"),
    (change) => change.broadcastId,
  );
  const events: NewEvent[] = [];
  for (const [id, failed] of [...byCampaign].toSorted(([a], [b]) => (a < b ? -1 : 1)))
    events.push(...(await judgeFailures(context, tx, id, failed)));
  return events;
};

type CampaignChange = MessageChange & {
  readonly broadcastId: string;
  readonly recipientId: string;
};

function ofCampaign(change: MessageChange): CampaignChange | null {
  const { broadcastId, recipientId } = change;
  return broadcastId === null || recipientId === null
    ? null
    : { ...change, broadcastId, recipientId };
}

/**
 * A failure of the template or the account pauses the campaign at once; failures of recipients do when there are
 * too many (`failure-rate.ts`).
 */
async function judgeFailures(
  context: Context,
  tx: Tx,
  id: string,
  failed: readonly CampaignChange[],
): Promise<NewEvent[]> {
  const key = { workspaceId: failed[0]?.workspaceId ?? "", id };
  const refused = failed.findLast(({ scope }) => scope === "template" || scope === "account");
  if (refused !== undefined) {
    const reason = `${refused.errorCode ?? "FAILED"}: ${refused.errorMessage ?? ""}`;
    return haltBroadcast(context, tx, key, reason);
  }
  const contactIds = failed.map((change) => change.recipientId);
  const rate = worstStretch(await selectCalledAround(tx, key, contactIds));
  if (rate === null) return [];
  return haltBroadcast(context, tx, key, describeRate(rate));
}
