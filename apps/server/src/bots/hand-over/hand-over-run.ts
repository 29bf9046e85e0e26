import type { Context } from "../../context.ts";
import type { Conversation } from "../../conversations/conversation.ts";
import { lockConversations } from "../../conversations/touch-conversations.ts";
import type { Tx } from "../../db/database.ts";
import { moveRun, type RunClaim } from "../thread/run-store.ts";
import { handOver, type HandOver } from "./hand-over.ts";

/** Names a run that a worker has claimed, and where it is. */
export type ClaimedRun = RunClaim & { readonly conversationId: string };

/**
 * Hands the conversation of a claimed run to people, in a transaction of its own. Does nothing when another worker has the
 * run by now, or a person the conversation. `before` runs first, under the conversation's lock.
 */
export async function handOverRun(
  context: Context,
  run: ClaimedRun,
  given: Pick<HandOver, "reason" | "summary">,
  before?: (tx: Tx, conversation: Conversation) => Promise<void>,
): Promise<void> {
  const { workspaceId, conversationId } = run;
  await context.db.transaction(async (tx) => {
    const [found] = await lockConversations(tx, [{ workspaceId, id: conversationId }]);
    if (!found || !(await moveRun(tx, run, {}))) return;
    await before?.(tx, found);
    await handOver(context, tx, { workspaceId, conversationId, ...given });
  });
}
