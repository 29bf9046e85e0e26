import type { FailedOutcome } from "../../adapter.ts";

/** What an error of the platform means for us. */
export type TelegramMeaning = Required<Pick<FailedOutcome, "reason" | "scope">>;

const REFUSED = { reason: "rejected", scope: "recipient" } as const satisfies TelegramMeaning;
const OPTED_OUT = { reason: "opted_out", scope: "recipient" } as const satisfies TelegramMeaning;
const NO_ACCOUNT = { reason: "misconfigured", scope: "account" } as const satisfies TelegramMeaning;
const NOT_TAKEN = { reason: "unreachable", scope: "recipient" } as const satisfies TelegramMeaning;

/**
 * The descriptions of channels.md §5.4 in lower case. The platform has no codes beside the HTTP statuses, and its
 * words change case. So a part of the description decides where the status alone does not.
 */
const BY_WORDS: readonly (readonly [words: string, verdict: TelegramMeaning])[] = [
  ["bot was blocked by the user", OPTED_OUT],
  ["frozen_method_invalid", NO_ACCOUNT],
  ["user is deactivated", REFUSED],
  ["can't initiate conversation", REFUSED],
  ["can't send messages to bots", REFUSED],
  ["bot was kicked", REFUSED],
  ["not a member", REFUSED],
  ["group chat was deleted", REFUSED],
  ["group chat was upgraded", REFUSED],
  ["chat not found", REFUSED],
  ["peer_id_invalid", REFUSED],
];

/** By status: 401 and 404 are what a bad token gets; 409 and 421 say that the call was not handled. */
const BY_STATUS: Readonly<Record<number, TelegramMeaning>> = {
  401: NO_ACCOUNT,
  404: NO_ACCOUNT,
  409: NOT_TAKEN,
  421: NOT_TAKEN,
};

/** The meaning of an error of the Bot API below 500 that is no throttle. An unlisted error is about this message. */
export function meaningOfTelegramError(code: number, description: string): TelegramMeaning {
  const lower = description.toLowerCase();
  const listed = BY_WORDS.find(([words]) => lower.includes(words));
  return listed?.[1] ?? BY_STATUS[code] ?? REFUSED;
}
