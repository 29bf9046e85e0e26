import type { ChannelType } from "../wire/words.ts";

const HOUR = 3_600_000;

/** For how long a customer's message opens the channel for free text; null: always (contract §5; channels.md 2.8). */
export const REPLY_WINDOW_HOURS = {
  WHATSAPP: 24,
  MESSENGER: 24,
  INSTAGRAM: 24,
  TELEGRAM: null,
  TIKTOK: 48,
  WEB: null,
} as const satisfies Record<ChannelType, number | null>;

/**
 * For how long a person may answer, on platforms that give people more time than programs, under the human-agent
 * tag (channels.md §3.3, §4.2).
 */
const PERSON_WINDOW_HOURS: Partial<Record<ChannelType, number>> = {
  MESSENGER: 7 * 24,
  INSTAGRAM: 7 * 24,
};

/**
 * The platform's own code for a reply after its window. It is WhatsApp's, used for every channel with a window
 * (spec).
 */
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

/** The code for a reply beyond that number. The platform documents none, so the name is ours. */
const REPLY_LIMIT = {
  code: "REPLY_LIMIT_REACHED",
  message: "The channel takes no more replies until the customer writes again.",
} as const;

interface Window {
  readonly channelType: ChannelType;
  readonly windowExpiresAt: Date | null;
}

/**
 * The reason why free text may not be sent now, or null. `sent`: messages sent since `countsFrom`; `byPerson`: a
 * member writes, not a program.
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

/**
 * The time from which replies are counted: that of the customer's latest message. Null where their number does not
 * matter.
 */
export function countsFrom({ channelType, windowExpiresAt: end }: Window): Date | null {
  return REPLIES_PER_MESSAGE[channelType] === null ? null : windowStart(channelType, end);
}

/**
 * Whether free text may be sent now. At the exact moment of expiry the window is closed. A channel with a window
 * starts closed.
 */
export function isWindowOpen(conversation: Window, now: Date): boolean {
  if (REPLY_WINDOW_HOURS[conversation.channelType] === null) return true;
  const end = conversation.windowExpiresAt;
  return end !== null && now.getTime() < end.getTime();
}

/**
 * Whether a reply may be sent only because a person wrote it: the window has closed, but the longer one for people
 * has not.
 */
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
 * The end of the window of a message that the customer wrote at `occurredAt`; null on a channel without one. A
 * late delivery counts from its own time; a time in the future (a wrong clock) counts as now.
 */
export function windowEnd(channelType: ChannelType, occurredAt: Date, now: Date): Date | null {
  const hours = REPLY_WINDOW_HOURS[channelType];
  if (hours === null) return null;
  return new Date(Math.min(occurredAt.getTime(), now.getTime()) + hours * HOUR);
}

/** The time of the customer's message whose window ends at `end`: the reverse of `windowEnd`. */
export function windowStart(channelType: ChannelType, end: Date | null): Date | null {
  const hours = REPLY_WINDOW_HOURS[channelType];
  return hours === null || end === null ? null : new Date(end.getTime() - hours * HOUR);
}
