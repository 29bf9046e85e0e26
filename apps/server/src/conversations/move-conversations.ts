import type { MergeFollower } from "../context.ts";
import { conversationEvent } from "./conversation.ts";
import { moveThreads } from "./conversation-store.ts";

/**
 * Gives the threads of a merged contact to the kept one. When the kept contact already has a thread on the same
 * channel, the merged contact's thread stays as it is, under the merged id. It still takes replies: it has its own
 * address and reply window, and a reply in it must go to that address. New messages of the person come to the kept
 * contact's thread.
 */
export const moveConversations: MergeFollower = async (_context, tx, merge) => {
  const { workspaceId, keepId: toId, mergedId: fromId } = merge;
  const moved = await moveThreads(tx, { workspaceId, fromId, toId });
  return moved.map((conversation) => conversationEvent("conversation.updated", conversation));
};
