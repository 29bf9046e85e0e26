import type { Context } from "../../context.ts";
import { conversationEvent, type Conversation } from "../../conversations/conversation.ts";
import { selectAnswered, writeAnswered } from "../../conversations/handler.ts";
import type { Tx } from "../../db/database.ts";
import { changeDesk } from "../../desk/desk-change.ts";
import type { NewEvent } from "../../webhooks/event.ts";
import type { RunOutcome } from "../../wire/words.ts";
import { finishedEvent } from "../hand-over/run-events.ts";
import { endRuns } from "./run-store.ts";

/**
 * Ends a bot's run in a locked conversation because the bot or the customer is done: no one answers now, and the customer's next message
 * begins a bot again. Gives the events to emit. Call it before slots are reserved.
 */
export async function finishRun(
  context: Pick<Context, "clock">,
  tx: Tx,
  conversation: Conversation,
  outcome: RunOutcome = "resolved",
): Promise<NewEvent[]> {
  const { workspaceId, id: conversationId } = conversation;
  const [thread] = await selectAnswered(tx, [{ workspaceId, conversationId }]);
  if (thread?.handler !== "bot" || thread.runId === null) return [];
  const now = context.clock.now();
  await writeAnswered(tx, [{ ...thread, handler: "nobody", since: now, runId: null }], now);
  const end = { workspaceId, id: thread.runId, outcome } as const;
  const runs = await endRuns(tx, [end], now);
  changeDesk(tx, [{ conversation }]);
  const handler = { kind: "nobody", botId: thread.botId } as const;
  return [
    conversationEvent(
      "conversation.updated",
      { ...conversation, handler },
      thread.botId === null ? undefined : { kind: "bot", botId: thread.botId },
    ),
    ...runs.map((run) => finishedEvent(conversation, run)),
  ];
}
