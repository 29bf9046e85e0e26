import type { Context } from "../context.ts";
import { visitorTopic } from "../lib/topics.ts";
import type { Guest } from "./chat-channel.ts";
import { revokeTokens } from "./visitor-store.ts";
import { externalIdOf } from "./visitor-token.ts";

/** Signs a browser out: all its tokens end, in every process at once, and so do its streams. */
export async function endVisitor(
  context: Pick<Context, "db" | "clock" | "topics">,
  { account, visitor }: Guest,
): Promise<void> {
  const { visitorId, channelId, version } = visitor;
  const key = { workspaceId: account.workspaceId, channelId, visitorId };
  await revokeTokens(context.db, key, version, context.clock.now());
  await context.topics.publish(visitorTopic(channelId, externalIdOf(visitor)), {
    kind: "ended",
    visitorId,
  });
}
