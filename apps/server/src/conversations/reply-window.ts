import type { ChannelType } from "../wire/words.ts";

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

/**
 * How long a person may answer where the platform lets people answer longer than programs, under its human-agent tag
 * (channels.md §3.3, §4.2).
 */
const PERSON_WINDOW_HOURS: Partial<Record<ChannelType, number>> = {
  MESSENGER: 7 * 24,
  INSTAGRAM: 7 * 24,
};

/** The platform's own code for a reply after its window; WhatsApp's, used for every channel that has one (spec). */
export const WINDOW_CLOSED = {
  code: "131047",
  message: "The reply window is closed: too long since the customer last wrote.",
} as const;

/** How many messages we may send after the customer's latest one; null: any number (channels.md §6.3). */
export const REPLIES_PER_MESSAGE = {
  WHATSAPP: null,
  MESSENGER: null,
  INSTAGRAM: null,
  TELEGRAM: null,
  TIKTOK: 10,
  WEB: null,
} as const satisfies Record<ChannelType, number | null>;

/** A reply beyond that number. The platform's code for it is not documented, so the name is ours. */
const REPLY_LIMIT = {
  code: "REPLY_LIMIT_REACHED",
  message: "The channel takes no more replies until the customer writes again.",
} as const;

interface Window {
  readonly channelType: ChannelType;
  readonly windowExpiresAt: Date | null;
}

/**
 * Why free text may not go out now, or null. `sent`: what went out since `countsFrom`; `byPerson`: written at the desk,
 * not by a program.
 */
export function replyRefusal(
  conversation: Window,
  sent: number,
  now: Date,
  byPerson = false,
): { readonly code: string; readonly message: string } | null {
  if (!isWindowOpen(conversation, now) && !needsPersonTag(conversation, byPerson, now))
    return WINDOW_CLOSED;
  const most = REPLIES_PER_MESSAGE[conversation.channelType];
  return most !== null && sent >= most ? REPLY_LIMIT : null;
}

/** Since when replies count: the time of the customer's latest message. Null where their number does not matter. */
export function countsFrom({ channelType, windowExpiresAt: end }: Window): Date | null {
  return REPLIES_PER_MESSAGE[channelType] === null ? null : windowStart(channelType, end);
}

/** May free text go out now? At the very instant of expiry it is closed. A windowed channel starts closed. */
export function isWindowOpen(conversation: Window, now: Date): boolean {
  if (REPLY_WINDOW_HOURS[conversation.channelType] === null) return true;
  const end = conversation.windowExpiresAt;
  return end !== null && now.getTime() < end.getTime();
}

/** Whether a reply may go only because a person wrote it: the window has closed and the longer one has not. */
export function needsPersonTag(conversation: Window, byPerson: boolean, now: Date): boolean {
  const { channelType, windowExpiresAt: end } = conversation;
  const hours = REPLY_WINDOW_HOURS[channelType];
  const longer = PERSON_WINDOW_HOURS[channelType];
  if (!byPerson || end === null || hours === null || longer === undefined) return false;
  return (
    !isWindowOpen(conversation, now) && now.getTime() < end.getTime() + (longer - hours) * HOUR
  );
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

/** When the customer wrote the message whose window ends at `end`: the reverse of `windowEnd`. */
export function windowStart(channelType: ChannelType, end: Date | null): Date | null {
  const hours = REPLY_WINDOW_HOURS[channelType];
  return hours === null || end === null ? null : new Date(end.getTime() - hours * HOUR);
}
