import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";
import { isId } from "../lib/ids.ts";
import { emitEvents } from "../webhooks/emit-events.ts";
import { writeAudit } from "../workspaces/write-audit.ts";
import { broadcastStatusEvent } from "./broadcast.ts";
import { moveBroadcast } from "./broadcast-store.ts";
import { findBroadcast } from "./find-broadcast.ts";
import { reopenUnknown } from "./recipient-store.ts";

const RESENDABLE = ["RUNNING", "PAUSED", "COMPLETED"];

/**
 * Sends again to recipients that ended as OUTCOME_UNKNOWN: all of the campaign's, or the named contacts. Some may get
 * the message twice, so only a person asks for it (contract §5, Recipients) and the audit log keeps who did. Each
 * takes a new message and slot; a completed campaign runs again. Gives how many recipients wait again.
 * Errors: `BROADCAST_NOT_FOUND`; `NOT_ALLOWED_IN_STATE` unless it is RUNNING, PAUSED or COMPLETED.
 */
export async function resendUnknown(
  context: Context,
  workspaceId: string,
  id: string,
  input: { readonly actor: string; readonly contactIds?: readonly string[] },
): Promise<number> {
  const broadcast = await findBroadcast(context, workspaceId, id);
  if (!RESENDABLE.includes(broadcast.status)) {
    const instead = broadcast.status === "CANCELLED" ? ", or resend-failed with unknown" : "";
    const explanation = `a ${broadcast.status} campaign cannot resend: it must be ${RESENDABLE.join(", ")}${instead}`;
    throw new AppError("NOT_ALLOWED_IN_STATE", { explanation });
  }
  const key = { workspaceId, id };
  const at = context.clock.now();
  return context.db.transaction(async (tx) => {
    const count = await reopenUnknown(tx, key, input.contactIds?.filter(isId) ?? null);
    // With nobody to send to it stays as it is: when it was completed says how long answers count.
    const moved =
      count > 0 ? await moveBroadcast(tx, key, "reopen", { at, actor: input.actor }) : null;
    await writeAudit(context, tx, workspaceId, {
      actor: input.actor,
      action: "broadcast.resend_unknown",
      subject: id,
      facts: { count },
    });
    if (moved !== null) {
      const event = broadcastStatusEvent(moved.broadcast, moved.previousStatus, at);
      await emitEvents(context, tx, [event]);
    }
    tx.afterCommit(() => context.wake.nudge("broadcasts"));
    return count;
  });
}
