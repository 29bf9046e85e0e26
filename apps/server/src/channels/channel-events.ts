import type { NewEvent } from "../webhooks/event.ts";
import type { Channel } from "./channel.ts";
import type { ChannelStatus } from "../wire/words.ts";

/** The `channel.status` event of a change; `previousStatus` is null for a new channel. */
export function channelStatusEvent(
  channel: Channel,
  previousStatus: ChannelStatus | null,
  at: Date,
): NewEvent {
  return {
    workspaceId: channel.workspaceId,
    type: "channel.status",
    data: {
      channelId: channel.id,
      channelType: channel.type,
      name: channel.name,
      previousStatus,
      status: channel.status,
      reason: channel.statusReason,
      occurredAt: at.toISOString(),
    },
  };
}
