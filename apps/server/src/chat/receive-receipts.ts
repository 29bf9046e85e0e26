import type { Context } from "../context.ts";
import { recordSeen } from "../messages/receive/record-seen.ts";
import { isId } from "../lib/ids.ts";
import type { Guest } from "./chat-channel.ts";
import { externalIdOf } from "./visitor-token.ts";

/**
 * The window reports that everything of ours up to a message arrived, or was read. `message.status` follows. Ids
 * that are not messages of ours in this visitor's conversation are ignored.
 */
export async function receiveReceipts(
  context: Context,
  { account, visitor }: Guest,
  receipts: { readonly delivered?: string; readonly read?: string },
): Promise<void> {
  const { workspaceId, channelId } = account;
  const externalId = externalIdOf(visitor);
  await Promise.all(
    (["delivered", "read"] as const).map(async (status) => {
      const upTo = receipts[status];
      if (upTo === undefined || !isId(upTo)) return;
      const mark = { workspaceId, channelId, externalId, upTo, status };
      await context.groupCommit.submit(recordSeen, mark);
    }),
  );
}
