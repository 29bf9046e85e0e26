import type { Conversation } from "../../conversations/conversation.ts";
import { countsFrom, REPLIES_PER_MESSAGE } from "../../conversations/reply-window.ts";
import type { Tx } from "../../db/database.ts";
import { lowestIdAt } from "../../lib/ids.ts";
import { countOutbound } from "../record/message-store.ts";

/** No reply waits for its platform that long. */
const LONGEST_WAIT_MS = 48 * 3_600_000;

/**
 * How many messages went out, or wait to, since the customer's latest one, by conversation id; only where the channel
 * limits them, and no higher than that limit. The conversations must be locked: every way to a message of ours passes
 * that lock, so that two replies at once cannot both be the tenth. Counted, not kept in a column: a send that failed,
 * and a customer's message that came late, then need no correction.
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
