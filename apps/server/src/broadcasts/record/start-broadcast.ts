import { write } from "../../write.ts";
import { audit } from "../../workspaces/write-audit.ts";
import type { Context } from "../../context.ts";
import { actorName, type Actor } from "../../actor.ts";
import { channelStanding } from "../../channels/list-channels.ts";
import { AppError } from "../../errors.ts";
import { reserveSlots } from "../../usage/reserve-slots.ts";
import type { Tx } from "../../db/database.ts";
import { emitEvents } from "../../webhooks/emit-events.ts";
import type { NewEvent } from "../../webhooks/event.ts";
import { broadcastStatusEvent, type Broadcast } from "./broadcast.ts";
import { moveBroadcast, type BroadcastKey } from "./broadcast-store.ts";
import type { WithinOptions } from "./create-broadcast.ts";
import { findBroadcast } from "./find-broadcast.ts";
import { refusedMove } from "./refused-move.ts";

/**
 * Starts or resumes a campaign and gives it with its new status: QUEUED, when a worker stores its audience, or
 * RUNNING with its present recipients (spec, Broadcast status). Of racing calls one succeeds. Errors in this
 * order: `BROADCAST_NOT_FOUND`, `SUBSCRIPTION_SUSPENDED` with limit and usage, `BROADCAST_NOT_STARTABLE`, also
 * while its channel is in error, because the engine would pause it at its first send.
 */
export const startBroadcast = write(
  "broadcast.start",
  async (
    actor,
    context: Context,
    workspaceId: string,
    id: string,
    options: WithinOptions = {},
  ): Promise<Broadcast> => {
    await findBroadcast(context, workspaceId, id);
    return context.db.transaction(async (tx) => {
      const { broadcast, event } = await startWithin(
        actor,
        context,
        tx,
        { workspaceId, id },
        options,
      );
      await audit(actor, context, tx, workspaceId, { action: "broadcast.started", subject: id });
      await emitEvents(context, tx, [event]);
      return broadcast;
    });
  },
);

/** As `startBroadcast`, within a transaction. The caller emits the event last. */
export async function startWithin(
  actor: Actor,
  context: Context,
  tx: Tx,
  key: BroadcastKey,
  options: WithinOptions,
): Promise<{ readonly broadcast: Broadcast; readonly event: NewEvent }> {
  const { workspaceId } = key;
  const at = context.clock.now();
  const moved = await moveBroadcast(tx, key, "start", { at, actor: actorName(actor) });
  // Checked after the move, so that the campaign's row is locked before the meter's; the throw undoes the move.
  const slots = (await reserveSlots(tx, at, [{ workspaceId, count: 0 }])).get(workspaceId);
  if (slots?.suspended) {
    throw new AppError("SUBSCRIPTION_SUSPENDED", { limit: slots.limit ?? 0, usage: slots.used });
  }
  if (moved === null) throw await refusedMove(tx, key, "start");
  const { broadcast, previousStatus } = moved;
  await refuseInError(tx, broadcast);
  await options.within?.(tx, broadcast);
  tx.afterCommit(() => context.wake.nudge("broadcasts"));
  return { broadcast, event: broadcastStatusEvent(broadcast, previousStatus, at) };
}

/** The throw undoes the move. */
async function refuseInError(tx: Tx, { workspaceId, channelId }: Broadcast): Promise<void> {
  if (channelId === null) return;
  const channel = await channelStanding(tx, workspaceId, channelId);
  if (channel?.status !== "error") return;
  const why = `is in error: ${channel.statusReason ?? "no reason was given"}`;
  throw new AppError("BROADCAST_NOT_STARTABLE", {
    explanation: `its channel ${channel.name} ${why}`,
    details: [{ path: "channelId", message: `the channel ${why}` }],
  });
}
