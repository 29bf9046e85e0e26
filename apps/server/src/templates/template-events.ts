import type { NewEvent } from "../webhooks/event.ts";
import type { StatusMove } from "./template-store.ts";

/** The `template.status` event of a change. */
export function templateStatusEvent(
  workspaceId: string,
  channelId: string,
  move: StatusMove,
  reason: string | null,
  at: Date,
): NewEvent {
  return {
    workspaceId,
    type: "template.status",
    data: {
      templateId: move.id,
      channelId,
      metaId: move.metaId,
      name: move.name,
      language: move.language,
      previousStatus: move.previousStatus,
      status: move.status,
      reason,
      occurredAt: at.toISOString(),
    },
  };
}
