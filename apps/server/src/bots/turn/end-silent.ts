import type { Context } from "../../context.ts";
import { lockConversations } from "../../conversations/touch-conversations.ts";
import { describeForLog } from "../../db/describe-for-log.ts";
import { emitEvents } from "../../webhooks/emit-events.ts";
import { finishRun } from "../thread/finish-run.ts";
import { selectOpenRun, selectSilent } from "../thread/run-store.ts";
import { selectTurnsOfRun } from "./turn-store.ts";

/** A customer who writes nothing for this long is done with the bot. */
const SILENT_MS = 24 * 3_600_000;

/**
 * Ends the runs whose customer has been silent for a day, up to `limit`, each in a transaction of its own: resolved after an
 * answer with a source or a procedure, else abandoned. The next message begins a bot again. Gives how many.
 */
export async function endSilent(context: Context, limit: number): Promise<number> {
  const before = new Date(context.clock.now().getTime() - SILENT_MS);
  let count = 0;
  for (const found of await selectSilent(context.db, before, limit))
    try {
      if (await endOne(context, found, before)) count += 1;
    } catch (error) {
      const { workspaceId, conversationId } = found;
      const facts = { workspaceId, conversationId, ...describeForLog(error) };
      context.log.error(facts, "a bot's run whose customer is silent could not be ended");
    }
  return count;
}

function endOne(
  context: Context,
  { workspaceId, id, conversationId }: Awaited<ReturnType<typeof selectSilent>>[number],
  before: Date,
): Promise<boolean> {
  return context.db.transaction(async (tx) => {
    const [conversation] = await lockConversations(tx, [{ workspaceId, id: conversationId }]);
    const run = await selectOpenRun(tx, workspaceId, conversationId);
    if (!conversation || run?.id !== id || run.state !== "waiting" || run.dueAt !== null)
      return false;
    if ((conversation.lastMessageAt ?? before) > before) return false;
    const turns = await selectTurnsOfRun(tx, workspaceId, { conversationId, runId: id });
    const last = turns.findLast(({ status }) => status === "sent");
    // A procedure that went through to its end did what was asked.
    const isDone = run.steps.at(-1)?.type === "procedure_done";
    const outcome = isDone || last?.decision === "answer" ? "resolved" : "abandoned";
    const events = await finishRun(context, tx, conversation, outcome);
    await emitEvents(context, tx, events);
    return events.length > 0;
  });
}
