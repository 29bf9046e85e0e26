import type { Context } from "../context.ts";
import type { Tx } from "../db/database.ts";
import type { NewEvent } from "../webhooks/event.ts";
import { notifyAdmins } from "../workspaces/notify-admins.ts";
import { channelStatusEvent } from "./channel-events.ts";
import { endThrottlesBeyond, moveStatus, raiseThrottle } from "./channel-store.ts";

/**
 * Turns a connected channel to `error` because the platform refuses its token or account, and tells the admins:
 * once per episode, however many sends fail together (only the send that changes the status does both). Gives the
 * `channel.status` event for the caller to emit last. Gives none when the channel was in error or disconnected
 * already. Gives none for a fault from before its credentials (`at`): platforms report late and repeatedly, and
 * the fault was cured since. Gives none for the answer to a call with other credentials than the channel has now
 * (`secretsSince` of the account that was called with).
 */
export async function failChannel(
  context: Pick<Context, "ids" | "clock">,
  tx: Tx,
  workspaceId: string,
  channelId: string,
  fault: {
    readonly code: string;
    readonly detail: string;
    readonly at?: Date;
    readonly secretsSince?: Date | null;
  },
): Promise<NewEvent[]> {
  const reason = `${fault.code}: ${fault.detail}`.slice(0, 500);
  const connected = ["connected"] as const;
  const channel = await moveStatus(tx, workspaceId, channelId, connected, "error", reason, {
    at: fault.at ?? null,
    ...("secretsSince" in fault && { since: fault.secretsSince ?? null }),
  });
  if (channel === null) return [];
  const now = context.clock.now();
  await notifyAdmins(context, tx, workspaceId, {
    kind: "channel.error",
    subject: `Channel ${channel.name} needs attention`,
    body:
      `The platform refuses the account of channel ${channel.name} (${reason}). ` +
      `Nothing is sent on it until its credentials are replaced or the account is put right.`,
    dedupe: `channel.error:${channelId}:${now.toISOString()}`,
  });
  return [channelStatusEvent(channel, "connected", now)];
}

/** Stores that the platform asked this whole account to wait. An earlier, longer wait stays. */
export function throttleChannel(
  tx: Tx,
  workspaceId: string,
  channelId: string,
  until: Date,
): Promise<void> {
  return raiseThrottle(tx, workspaceId, channelId, until);
}

/** Ends the waits of channels that last beyond `latest`. Returns how many. */
export const endThrottles = (tx: Tx, latest: Date): Promise<number> =>
  endThrottlesBeyond(tx, latest);
