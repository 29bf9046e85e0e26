import { REPLIES_PER_MESSAGE } from "../../conversations/reply-window.ts";
import type { ChannelType, HandOverReason } from "../../wire/words.ts";
import type { BotMessage } from "../thread/talk-store.ts";

/** A message that is older than this is not answered: its platform delivered it late. */
export const LATE_MS = 600_000;
/** A customer who answers faster than this does not read. */
const HASTE_MS = 3_000;
/** Nor does one who writes faster than this a character: bots that think write long texts after a few seconds. */
const TYPING_MS = 60;
const MOST_HASTY = 6;
const MOST_A_MINUTE = 10;
const MOST_A_DAY = 50;
/** Where a platform limits replies, so many are left to people. */
const LEFT_TO_PEOPLE = 4;

/** What a bot looks at before its turn. */
export interface Talk {
  readonly now: Date;
  readonly channelType: ChannelType;
  /** The sender is an account of this installation. */
  readonly own: boolean;
  /** The customer's newest message is a stop or start word alone. */
  readonly consentWord: boolean;
  /** The newest messages, oldest first. */
  readonly messages: readonly BotMessage[];
  /** What bots wrote in the last 24 hours. */
  readonly today: number;
}

/** What stops a bot before its turn. `silent`: no answer, nothing is wrong. */
export type Guarded =
  | { readonly kind: "silent"; readonly why: "nothing" | "reaction" | "stop_word" | "late" }
  | { readonly kind: "hand_over"; readonly reason: HandOverReason; readonly why: string };

/** Whether a bot must not answer now, and why; null: it may. Pure. */
export function guardTurn(talk: Talk): Guarded | null {
  const { messages, now } = talk;
  const last = messages.findLast(({ from }) => from === "customer");
  if (!last) return { kind: "silent", why: "nothing" };
  if (last.type === "reaction") return { kind: "silent", why: "reaction" };
  if (talk.consentWord) return { kind: "silent", why: "stop_word" };
  if (now.getTime() - last.writtenAt.getTime() > LATE_MS) return { kind: "silent", why: "late" };
  const loop = (why: string): Guarded => ({ kind: "hand_over", reason: "loop", why });
  if (talk.own) return loop("the sender is an account of this installation");
  if (hastyAnswers(messages) > MOST_HASTY)
    return loop("the customer answers faster than one reads");
  if (repeats(messages, "bot", 2)) return loop("the bot said the same twice");
  if (repeats(messages, "customer", 3)) return loop("the customer said the same three times");
  if (writtenLately(messages, now) >= MOST_A_MINUTE) return loop("ten messages in a minute");
  if (talk.today >= MOST_A_DAY) return loop("fifty messages in a day");
  const most = REPLIES_PER_MESSAGE[talk.channelType];
  if (most !== null && repliesSince(messages) >= most - LEFT_TO_PEOPLE)
    return {
      kind: "hand_over",
      reason: "limit_reached",
      why: "the channel takes few more replies until the customer writes",
    };
  return null;
}

/** A bot that wrote the same so often without an answer of the customer goes in a circle. */
const MOST_UNHEARD = 3;

/** Why a bot must not go on without a word of the customer, as when a time is over; null: it may. Pure. */
export function guardUnasked({
  now,
  messages,
  today,
}: Pick<Talk, "now" | "messages" | "today">): string | null {
  const last = messages.findLastIndex(({ from }) => from === "customer");
  if (repeats(messages.slice(last + 1), "bot", MOST_UNHEARD))
    return "the bot said the same three times";
  if (writtenLately(messages, now) >= MOST_A_MINUTE) return "ten messages in a minute";
  return today >= MOST_A_DAY ? "fifty messages in a day" : null;
}

const writtenLately = (messages: readonly BotMessage[], now: Date): number =>
  messages.filter(({ from, at }) => from === "bot" && at.getTime() > now.getTime() - 60_000).length;

/** How many customer messages in a row of the talk were written faster after ours than a person reads and types. */
function hastyAnswers(messages: readonly BotMessage[]): number {
  let count = 0;
  for (const [index, one] of messages.entries()) {
    const before = messages[index - 1];
    if (one.from !== "customer" || before?.from !== "bot") continue;
    const least = Math.max(HASTE_MS, (one.text?.length ?? 0) * TYPING_MS);
    count = one.at.getTime() - before.at.getTime() < least ? count + 1 : 0;
  }
  return count;
}

/** Whether the newest `times` messages of a side say the same. */
function repeats(
  messages: readonly BotMessage[],
  from: BotMessage["from"],
  times: number,
): boolean {
  const texts = messages.filter((one) => one.from === from).map(({ text }) => text?.trim() ?? "");
  const newest = texts.slice(-times);
  const [first = ""] = newest;
  return newest.length === times && first !== "" && newest.every((text) => text === first);
}

/** Our messages since the customer's last one. */
function repliesSince(messages: readonly BotMessage[]): number {
  const last = messages.findLastIndex(({ from }) => from === "customer");
  return messages.slice(last + 1).filter(({ from }) => from !== "customer").length;
}
