import type { Context } from "../context.ts";
import type { Queryable } from "../db/database.ts";
import { AppError } from "../errors.ts";
import { isId } from "../lib/ids.ts";
import type { Channel } from "./channel.ts";
import { selectChannel, selectChannels, withoutSecrets } from "./channel-store.ts";

export { workspaceOfChannel } from "./channel-store.ts";
export { selectSecretEnds, selectSecretTimes } from "./secret-times-store.ts";

/** Every channel of the workspace, oldest first, including disconnected ones (their history stays). */
export async function listChannels(
  context: Pick<Context, "db">,
  workspaceId: string,
): Promise<Channel[]> {
  if (!isId(workspaceId)) return [];
  return (await selectChannels(context.db, workspaceId)).map(withoutSecrets);
}

/** One channel, or NOT_FOUND. */
export async function findChannel(
  context: Pick<Context, "db">,
  workspaceId: string,
  channelId: string,
): Promise<Channel> {
  const row =
    isId(workspaceId) && isId(channelId)
      ? await selectChannel(context.db, workspaceId, channelId)
      : null;
  if (row === null) throw new AppError("NOT_FOUND", { explanation: "no such channel" });
  return withoutSecrets(row);
}

/** The state of a channel as a transaction sees it; null: there is no such channel. */
export async function channelStanding(
  db: Queryable,
  workspaceId: string,
  channelId: string,
): Promise<Pick<Channel, "name" | "status" | "statusReason"> | null> {
  const row = await selectChannel(db, workspaceId, channelId);
  return row === null ? null : withoutSecrets(row);
}
