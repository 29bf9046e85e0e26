import type { ChannelType } from "../channels/adapter.ts";

const HOUR = 3_600_000;

/** How long a customer's message opens the channel for free text; null: always (contract §5; channels.md 2.8). */
export const REPLY_WINDOW_HOURS = {
  WHATSAPP: 24,
  MESSENGER: 24,
  INSTAGRAM: 24,
  TELEGRAM: null,
  TIKTOK: 48,
  WEB: null,
} as const satisfies Record<ChannelType, number | null>;

/** The platform's own code for a reply after its window; WhatsApp's, used for every channel that has one (spec). */
export const WINDOW_CLOSED = {
  code: "131047",
  message: "The reply window is closed: too long since the customer last wrote.",
} as const;

/** May free text go out now? At the very instant of expiry it is closed. A windowed channel starts closed. */
export function isWindowOpen(
  conversation: { readonly channelType: ChannelType; readonly windowExpiresAt: Date | null },
  now: Date,
): boolean {
  if (REPLY_WINDOW_HOURS[conversation.channelType] === null) return true;
  const end = conversation.windowExpiresAt;
  return end !== null && now.getTime() < end.getTime();
}

/**
 * When the window of a message that the customer wrote at `occurredAt` ends; null on a channel without one. A late
 * delivery counts from its own time; a time in the future (a skewed clock) counts as now.
 */
export function windowEnd(channelType: ChannelType, occurredAt: Date, now: Date): Date | null {
  const hours = REPLY_WINDOW_HOURS[channelType];
  if (hours === null) return null;
  return new Date(Math.min(occurredAt.getTime(), now.getTime()) + hours * HOUR);
}
