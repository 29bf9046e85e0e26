import type { Context } from "../../context.ts";
import { invalid } from "../../errors.ts";
import { emitEvents } from "../../webhooks/emit-events.ts";
import { broadcastStatusEvent, type Broadcast, type Trigger } from "./broadcast.ts";
import { moveBroadcast } from "./broadcast-store.ts";
import type { WithinOptions } from "./create-broadcast.ts";
import { findBroadcast } from "./find-broadcast.ts";
import { refusedMove } from "./refused-move.ts";

/** RUNNING → PAUSED. What is with the provider already settles; nothing new leaves. */
export function pauseBroadcast(
  context: Context,
  workspaceId: string,
  id: string,
  options: WithinOptions = {},
): Promise<Broadcast> {
  return change(context, workspaceId, id, "pause", {}, options);
}

/** DRAFT, SCHEDULED, QUEUED, RUNNING or PAUSED → CANCELLED. Recipients that still wait stay counted as waiting. */
export function cancelBroadcast(
  context: Context,
  workspaceId: string,
  id: string,
  options: WithinOptions = {},
): Promise<Broadcast> {
  return change(context, workspaceId, id, "cancel", {}, options);
}

/** DRAFT → SCHEDULED. The time must be in the future. */
export async function scheduleBroadcast(
  context: Context,
  workspaceId: string,
  id: string,
  scheduledAt: Date,
  options: WithinOptions = {},
): Promise<Broadcast> {
  // An invalid date compares false with everything.
  if (!(scheduledAt > context.clock.now())) throw invalid("scheduledAt", "must be in the future");
  return change(context, workspaceId, id, "schedule", { scheduledAt }, options);
}

/** SCHEDULED → DRAFT. */
export function unscheduleBroadcast(
  context: Context,
  workspaceId: string,
  id: string,
  options: WithinOptions = {},
): Promise<Broadcast> {
  return change(context, workspaceId, id, "unschedule", { scheduledAt: null }, options);
}

/** Errors: `BROADCAST_NOT_FOUND`; `NOT_ALLOWED_IN_STATE` when the state table has no such move. */
async function change(
  context: Context,
  workspaceId: string,
  id: string,
  trigger: Trigger,
  facts: { scheduledAt?: Date | null },
  options: WithinOptions,
): Promise<Broadcast> {
  await findBroadcast(context, workspaceId, id);
  const at = context.clock.now();
  return context.db.transaction(async (tx) => {
    const moved = await moveBroadcast(tx, { workspaceId, id }, trigger, {
      at,
      ...facts,
      actor: options.actor,
    });
    if (moved === null) throw await refusedMove(tx, { workspaceId, id }, trigger);
    await options.within?.(tx, moved.broadcast);
    await emitEvents(context, tx, [
      broadcastStatusEvent(moved.broadcast, moved.previousStatus, at),
    ]);
    tx.afterCommit(() => context.wake.nudge("broadcasts"));
    return moved.broadcast;
  });
}
