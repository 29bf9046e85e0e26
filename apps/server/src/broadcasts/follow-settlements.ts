import type { SettlementFollower } from "../context.ts";
import type { NewEvent } from "../webhooks/event.ts";
import { haltBroadcast } from "./halt-broadcast.ts";
import { moveRecipients } from "./recipient-store.ts";

/**
 * Moves recipients and the counts of their campaigns with the messages, in the transaction that moved those: sends,
 * platform callbacks and give-ups all come this way. A failure that concerns the template or the whole account stops
 * the campaign (contract §5); this recipient's message has failed all the same.
 */
export const followSettlements: SettlementFollower = async (context, tx, changes) => {
  const ours = changes.filter((change) => change.broadcastId !== null);
  if (ours.length === 0) return [];
  // One message may have moved twice in a batch: its last status is where it stands.
  const last = new Map(ours.map((change) => [`${change.workspaceId}/${change.messageId}`, change]));
  await moveRecipients(
    tx,
    [...last.values()].map((change) => ({
      workspaceId: change.workspaceId,
      messageId: change.messageId,
      to: change.to,
      code: change.errorCode,
      detail: change.errorMessage,
    })),
    context.clock.now(),
  );
  const events: NewEvent[] = [];
  const refused = ours.filter(
    ({ to, scope }) => to === "failed" && (scope === "template" || scope === "account"),
  );
  const campaigns = new Map(refused.map((change) => [change.broadcastId ?? "", change]));
  for (const [id, change] of [...campaigns].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const reason = `${change.errorCode ?? "FAILED"}: ${change.errorMessage ?? ""}`;
    events.push(
      ...(await haltBroadcast(context, tx, { workspaceId: change.workspaceId, id }, reason)),
    );
  }
  return events;
};
