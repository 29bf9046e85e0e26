import { write } from "../../write.ts";
import { audit } from "../../workspaces/write-audit.ts";
import type { Context } from "../../context.ts";
import { actorName, type Actor } from "../../actor.ts";
import { invalid } from "../../errors.ts";
import { emitEvents } from "../../webhooks/emit-events.ts";
import { broadcastStatusEvent, type Broadcast } from "./broadcast.ts";
import { moveBroadcast } from "./broadcast-store.ts";
import type { WithinOptions } from "./create-broadcast.ts";
import { findBroadcast } from "./find-broadcast.ts";
import { refusedMove } from "./refused-move.ts";

/** RUNNING → PAUSED. Calls to the provider are finished and settled; no new call is made. */
export const pauseBroadcast = write("broadcast.pause", moves("pause"));

/** DRAFT, SCHEDULED, QUEUED, RUNNING or PAUSED → CANCELLED. Recipients that still wait stay counted as waiting. */
export const cancelBroadcast = write("broadcast.cancel", moves("cancel"));

/** DRAFT → SCHEDULED. The time must be in the future. */
export const scheduleBroadcast = write(
  "broadcast.schedule",
  async (
    actor,
    context: Context,
    workspaceId: string,
    id: string,
    scheduledAt: Date,
    options: WithinOptions = {},
  ): Promise<Broadcast> => {
    // An invalid date compares false with everything.
    if (!(scheduledAt > context.clock.now())) throw invalid("scheduledAt", "must be in the future");
    return moves("schedule", { scheduledAt })(actor, context, workspaceId, id, options);
  },
);

/** SCHEDULED → DRAFT. */
export const unscheduleBroadcast = write(
  "broadcast.unschedule",
  moves("unschedule", { scheduledAt: null }),
);

/** The audit's name for each move. */
const DONE = {
  pause: "broadcast.paused",
  cancel: "broadcast.cancelled",
  schedule: "broadcast.scheduled",
  unschedule: "broadcast.unscheduled",
} as const;

/** Errors: `BROADCAST_NOT_FOUND`; `NOT_ALLOWED_IN_STATE` when the state table has no such move. */
function moves(trigger: keyof typeof DONE, facts: { scheduledAt?: Date | null } = {}) {
  return async (
    actor: Actor,
    context: Context,
    workspaceId: string,
    id: string,
    options: WithinOptions = {},
  ): Promise<Broadcast> => {
    await findBroadcast(context, workspaceId, id);
    const at = context.clock.now();
    return context.db.transaction(async (tx) => {
      const key = { workspaceId, id };
      const change = { at, ...facts, actor: actorName(actor) };
      const moved = await moveBroadcast(tx, key, trigger, change);
      if (moved === null) throw await refusedMove(tx, key, trigger);
      const { broadcast, previousStatus } = moved;
      await audit(actor, context, tx, workspaceId, { action: DONE[trigger], subject: id });
      await options.within?.(tx, broadcast);
      await emitEvents(context, tx, [broadcastStatusEvent(broadcast, previousStatus, at)]);
      tx.afterCommit(() => context.wake.nudge("broadcasts"));
      return broadcast;
    });
  };
}
