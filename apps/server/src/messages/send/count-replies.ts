import type { Conversation } from "../../conversations/conversation.ts";
import { countsFrom, REPLIES_PER_MESSAGE } from "../../conversations/reply-window.ts";
import type { Tx } from "../../db/database.ts";
import { lowestIdAt } from "../../lib/ids.ts";
import { countOutbound } from "../record/message-store.ts";

/** Longer than any reply waits for its platform. */
const LONGEST_WAIT_MS = 48 * 3_600_000;

/**
 * How many messages went out, or wait to go out, since the customer's latest message, by conversation id. Only
 * conversations on channels that limit replies are in the answer, and no count is above that limit. The conversations
 * must be locked: everything that creates a message of ours takes that lock, so two replies at once cannot both be the
 * tenth. The number is counted and not kept in a column. So a failed send, or a customer's message that came late,
 * needs no correction.
 */
export async function countReplies(
  tx: Tx,
  conversations: readonly Conversation[],
): Promise<Map<string, number>> {
  const wants = conversations.flatMap((conversation) => {
    const since = countsFrom(conversation);
    const most = REPLIES_PER_MESSAGE[conversation.channelType];
    if (since === null || most === null) return [];
    const { workspaceId, id } = conversation;
    const oldestId = lowestIdAt(new Date(since.getTime() - LONGEST_WAIT_MS));
    return [{ workspaceId, id, since, oldestId, most }];
  });
  const counted = wants.length > 0 ? await countOutbound(tx, wants) : [];
  return new Map(counted.map(({ id, count }) => [id, count]));
}
