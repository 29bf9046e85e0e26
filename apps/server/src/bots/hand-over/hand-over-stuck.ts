import type { Context } from "../../context.ts";
import { lockConversations } from "../../conversations/touch-conversations.ts";
import { describeForLog } from "../../db/describe-for-log.ts";
import { postponeRun, selectOfArchived, selectOpenRun, selectStuck } from "../thread/run-store.ts";
import type { HandOverReason } from "../../wire/words.ts";
import { handOver } from "./hand-over.ts";

/**
 * No customer waits for two minutes for a bot that does not go on. The sweep looks every five seconds, and a
 * hand-over takes some seconds on a busy machine.
 */
export const STUCK_MS = 105_000;

const NO_FREE_CALL = "its step waited for a free call: too many of the workspace were under way";

/**
 * Hands over the conversations whose bot was due `STUCK_MS` ago, or was archived, up to `limit`, each in a transaction of its
 * own. Gives how many. A run that went on meanwhile stays with its bot.
 */
export async function handOverStuck(context: Context, limit: number): Promise<number> {
  const before = new Date(context.clock.now().getTime() - STUCK_MS);
  let count = 0;
  const stuck = await selectStuck(context.db, before, limit);
  const archived = await selectOfArchived(context.db, limit);
  const reasons = new Map<string, HandOverReason>(archived.map(({ id }) => [id, "archived"]));
  for (const { workspaceId, id, conversationId } of [...archived, ...stuck]) {
    try {
      const done = await context.db.transaction(async (tx) => {
        const key = { workspaceId, conversationId };
        await lockConversations(tx, [{ workspaceId, id: conversationId }]);
        const run = await selectOpenRun(tx, workspaceId, conversationId);
        const reason = reasons.get(id);
        if (run?.id === id && reason) return handOver(context, tx, { ...key, reason });
        if (run?.id !== id || run.dueAt === null || run.dueAt > before) return false;
        const summary = run.kind === "flow" && run.state === "calling" ? NO_FREE_CALL : null;
        return handOver(context, tx, { ...key, reason: "stuck", summary });
      });
      if (done) count += 1;
    } catch (error) {
      context.log.error(
        { workspaceId, conversationId, ...describeForLog(error) },
        "a conversation could not be taken from its bot",
      );
      // Others have their turn, and its bot may go on meanwhile.
      await postponeRun(context.db, { workspaceId, id }, context.clock.now());
    }
  }
  return count;
}
