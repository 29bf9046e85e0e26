import type { MergeFollower } from "../context.ts";
import { conversationEvent } from "./conversation.ts";
import { moveThreads } from "./conversation-store.ts";

/**
 * The threads of a merged contact become the kept one's. Where that has a thread on the same channel, the other stays
 * a row of its own under the merged id, which goes on answering: it has an address and a reply window of its own, and
 * an answer in it must go there. What the person writes from now on comes to the kept contact's thread.
 */
export const moveConversations: MergeFollower = async (_context, tx, merge) => {
  const { workspaceId, keepId: toId, mergedId: fromId } = merge;
  const moved = await moveThreads(tx, { workspaceId, fromId, toId });
  return moved.map((conversation) => conversationEvent("conversation.updated", conversation));
};
