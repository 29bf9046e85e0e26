import type { NewEvent } from "../../webhooks/event.ts";
import type { Conversation } from "../../conversations/conversation.ts";
import type { BotRun } from "../thread/run-store.ts";

/** The event of a run that ended. */
export function finishedEvent(
  {
    id,
    contactId,
    channelId,
    channelType,
  }: Pick<Conversation, "id" | "contactId" | "channelId" | "channelType">,
  run: BotRun,
): NewEvent {
  return {
    workspaceId: run.workspaceId,
    type: "bot.finished",
    data: {
      conversationId: id,
      contactId,
      channelId,
      channelType,
      botId: run.botId,
      version: run.version,
      outcome: run.outcome ?? "abandoned",
      topic: run.topic,
      turns: run.turns,
      occurredAt: (run.endedAt ?? run.beganAt).toISOString(),
    },
  };
}
