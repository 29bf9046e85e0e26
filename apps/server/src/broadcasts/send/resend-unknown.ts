import { write } from "../../write.ts";
import { actorName, type Actor } from "../../actor.ts";
import type { Context } from "../../context.ts";
import type { Tx } from "../../db/database.ts";
import { notInState } from "../../errors.ts";
import { NIL_ID, isId } from "../../lib/ids.ts";
import { emitEvents } from "../../webhooks/emit-events.ts";
import { audit } from "../../workspaces/write-audit.ts";
import { broadcastStatusEvent } from "../record/broadcast.ts";
import { moveBroadcast, selectBroadcast, type BroadcastKey } from "../record/broadcast-store.ts";
import type { WithinOptions } from "../record/create-broadcast.ts";
import { findBroadcast } from "../record/find-broadcast.ts";
import { reopenUnknown } from "../audience/recipient-store.ts";

const RESENDABLE = ["RUNNING", "PAUSED", "COMPLETED"];
/** How many one transaction reopens: answers for the campaign wait for its row meanwhile. */
const BATCH = 1_000;

/**
 * Sends again to recipients that ended as OUTCOME_UNKNOWN: all of the campaign's, or the named contacts. Some may
 * get the message twice, so only a person can ask for it (contract §5, Recipients) and the audit log keeps the
 * actor. Each uses a new message and slot; a completed campaign runs again. Works in batches, each a transaction
 * with its own entry in the audit log: after an interruption it is called again and goes on with the rest. It ends
 * early when the campaign is cancelled meanwhile. `within` runs in the last transaction. Gives how many recipients wait again. Errors:
 * `BROADCAST_NOT_FOUND`; `NOT_ALLOWED_IN_STATE` unless it is RUNNING, PAUSED or COMPLETED.
 */
export const resendUnknown = write(
  "broadcast.resend_unknown",
  async (
    actor,
    context: Context,
    workspaceId: string,
    id: string,
    input: WithinOptions & { readonly contactIds?: readonly string[] } = {},
  ): Promise<number> => {
    const broadcast = await findBroadcast(context, workspaceId, id);
    if (!RESENDABLE.includes(broadcast.status)) {
      const instead = broadcast.status === "CANCELLED" ? ", or resend-failed with unknown" : "";
      const explanation = `a ${broadcast.status} campaign cannot resend: it must be ${RESENDABLE.join(", ")}${instead}`;
      throw notInState(broadcast.status, RESENDABLE, explanation);
    }
    const key = { workspaceId, id };
    const contactIds = input.contactIds?.filter(isId) ?? null;
    let total = 0;
    for (let after: string | null = NIL_ID; after !== null;) {
      const from: string = after;
      const { count, last } = await context.db.transaction(async (tx) => {
        const reopened = await reopenUnknown(
          tx,
          key,
          RESENDABLE,
          contactIds,
          from,
          BATCH,
          context.clock.now(),
        );
        if (reopened.count > 0 || total === 0)
          await reopen(actor, context, tx, key, reopened.count);
        if (reopened.last === null && input.within) {
          const after = await selectBroadcast(tx, workspaceId, id);
          if (after) await input.within(tx, after);
        }
        return reopened;
      });
      total += count;
      after = last;
    }
    return total;
  },
);

/** Stores that this many of its recipients wait again: the campaign runs again, and the audit log names the actor. */
async function reopen(
  actor: Actor,
  context: Context,
  tx: Tx,
  key: BroadcastKey,
  count: number,
): Promise<void> {
  const at = context.clock.now();
  // With nobody to send to it stays as it is: answers count from when it was completed.
  const moved =
    count > 0 ? await moveBroadcast(tx, key, "reopen", { at, actor: actorName(actor) }) : null;
  await audit(actor, context, tx, key.workspaceId, {
    action: "broadcast.resend_unknown",
    subject: key.id,
    facts: { count },
  });
  if (moved !== null) {
    const event = broadcastStatusEvent(moved.broadcast, moved.previousStatus, at);
    await emitEvents(context, tx, [event]);
  }
  tx.afterCommit(() => context.wake.nudge("broadcasts"));
}
