import type { Actor } from "../actor.ts";
import { updateCredentials } from "../channels/update-credentials.ts";
import { AppError } from "../errors.ts";
import { findPhone } from "./list-lines.ts";
import { clearChannelFaults } from "./play-phone.ts";

/**
 * Removes what faults left on a sandbox channel: its error, its waits and the faults themselves. It accepts messages
 * again. Throws NOT_FOUND for another workspace's channel and for SMS, which is never in error. Otherwise throws as
 * `clearChannelFaults` does.
 */
export async function repairSandboxChannel(
  actor: Actor,
  context: Parameters<typeof clearChannelFaults>[1] & Parameters<typeof updateCredentials>[1],
  workspaceId: string,
  channelId: string,
): Promise<void> {
  const phone = await findPhone(context, channelId);
  if (phone.workspaceId !== workspaceId || phone.type === "SMS") throw new AppError("NOT_FOUND");
  await clearChannelFaults(actor, context, workspaceId, channelId);
  await updateCredentials(actor, context, workspaceId, channelId, {});
}
