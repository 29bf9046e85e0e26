import type { Context } from "../context.ts";
import { findConversation } from "../conversations/find-conversation.ts";
import { AppError } from "../errors.ts";
import { deskTopic, visitorTopic } from "../lib/topics.ts";
import type { Guest } from "./chat-channel.ts";
import { selectStand } from "./thread-store.ts";
import { externalIdOf } from "./visitor-token.ts";

/**
 * An agent started or stopped typing: the visitor's open windows show it. Stored nowhere. On other channels it
 * does nothing. Throws NOT_FOUND.
 */
export async function publishTyping(
  context: Pick<Context, "db" | "topics">,
  workspaceId: string,
  conversationId: string,
  active: boolean,
): Promise<void> {
  const conversation = await findConversation(context, workspaceId, conversationId);
  if (conversation === null)
    throw new AppError("NOT_FOUND", { explanation: "no such conversation" });
  const { channelType, channelId, externalId } = conversation;
  if (channelType !== "WEB") return;
  await context.topics.publish(visitorTopic(channelId, externalId), { kind: "typing", active });
}

/** A visitor started or stopped typing: agents hear it on the topic of their workspace. Stored nowhere. */
export async function publishVisitorTyping(
  context: Pick<Context, "db" | "topics">,
  { account, visitor }: Guest,
  active: boolean,
): Promise<void> {
  const { workspaceId, channelId } = account;
  const owner = { workspaceId, channelId, externalId: externalIdOf(visitor) };
  const stand = await selectStand(context.db, owner);
  if (stand === null) return;
  const { conversationId } = stand;
  await context.topics.publish(deskTopic(workspaceId), { kind: "typing", active, conversationId });
}
