import type { Context } from "../../context.ts";
import { claimDueThread, selectDueThreads, type ThreadId } from "../../conversations/handler.ts";
import { lockConversations } from "../../conversations/touch-conversations.ts";
import type { Tx } from "../../db/database.ts";
import { endRuns, selectOpenRun, selectUnderWay } from "../thread/run-store.ts";
import { handOver } from "./hand-over.ts";

/** Conversations that are read at once. */
const PAGE = 500;

/**
 * After a restore: gives every conversation to people in which a bot was about to answer, because it may have answered since
 * the backup was made. The customer gets no text. Gives how many conversations.
 */
export async function haltBots(context: Context, tx: Tx): Promise<number> {
  const now = context.clock.now();
  let count = 0;
  // Each round ends what it has read, so the next one reads others.
  for (;;) {
    const due = await selectDueThreads(tx, now, PAGE);
    const underWay = await selectUnderWay(tx, now, PAGE);
    if (due.length + underWay.length === 0) return count;
    for (const thread of due) await claimDueThread(tx, thread);
    for (const thread of [...due, ...underWay]) if (await halt(context, tx, thread)) count++;
  }
}

async function halt(context: Context, tx: Tx, thread: ThreadId): Promise<boolean> {
  const { workspaceId, conversationId } = thread;
  await lockConversations(tx, [{ workspaceId, id: conversationId }]);
  const given = {
    workspaceId,
    conversationId,
    reason: "stuck",
    summary: RESTORED,
    text: null,
  } as const;
  if (await handOver(context, tx, given)) return true;
  // No bot answers there any more.
  const run = await selectOpenRun(tx, workspaceId, conversationId);
  if (run)
    await endRuns(tx, [{ workspaceId, id: run.id, outcome: "abandoned" }], context.clock.now());
  return false;
}

const RESTORED = "Parley was restored from a backup. The bot may have answered since it was made.";
