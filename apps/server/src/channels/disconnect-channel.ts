import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";
import { isId } from "../lib/ids.ts";
import { emitEvents } from "../webhooks/emit-events.ts";
import { sealSecrets } from "./account-secrets.ts";
import type { Channel } from "./channel.ts";
import { channelStatusEvent } from "./channel-events.ts";
import { moveStatus, replaceSecrets, selectChannel, withoutSecrets } from "./channel-store.ts";

/**
 * Gives an account up: its secrets are wiped, its place in the plan is free, its history stays, and the platform's
 * calls get 404. Connecting it again brings it back under the same id. Doing it twice changes nothing.
 * Errors: NOT_FOUND.
 */
export async function disconnectChannel(
  context: Pick<Context, "db" | "clock" | "ids" | "sealer" | "wake">,
  workspaceId: string,
  channelId: string,
): Promise<Channel> {
  const missing = () => new AppError("NOT_FOUND", { explanation: "no such channel" });
  if (!isId(workspaceId) || !isId(channelId)) throw missing();
  return context.db.transaction(async (tx) => {
    const row = await selectChannel(tx, workspaceId, channelId, "for update");
    if (row === null) throw missing();
    const open = ["connected", "error"] as const;
    const moved = await moveStatus(tx, workspaceId, channelId, open, "disconnected", null);
    if (moved === null) return withoutSecrets(row);
    const nothing = sealSecrets(context.sealer, workspaceId, channelId, {});
    await replaceSecrets(tx, workspaceId, channelId, nothing);
    const channel = withoutSecrets(moved);
    await emitEvents(context, tx, [channelStatusEvent(channel, row.status, context.clock.now())]);
    return channel;
  });
}
