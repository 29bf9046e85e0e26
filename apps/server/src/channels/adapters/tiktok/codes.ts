import type { FailedOutcome } from "../../adapter.ts";

/** What a code of the platform means for us. */
export type TikTokMeaning = Required<Pick<FailedOutcome, "reason" | "scope">>;

// The classes of channels.md §0.2 in the words of `SendOutcome`.
const NO_ACCOUNT = { reason: "misconfigured", scope: "account" } as const satisfies TikTokMeaning;
const THROTTLED = { reason: "throttled", scope: "account" } as const satisfies TikTokMeaning;
const REFUSED = { reason: "rejected", scope: "recipient" } as const satisfies TikTokMeaning;
const OUTAGE = { reason: "unreachable", scope: "recipient" } as const satisfies TikTokMeaning;
const UNKNOWN = { reason: "unknown", scope: "recipient" } as const satisfies TikTokMeaning;

/**
 * 40064 is a message that TikTok's own rules block. "You are sending messages too fast. Take a rest" is told to an
 * account that opened many conversations in a day: the others go on, so only this one waits.
 */
const TOO_FAST = /too fast|too frequent|take a rest/i;
const RESTED = { reason: "throttled", scope: "recipient" } as const satisfies TikTokMeaning;

/** Every code of channels.md §6.5. */
const CODES = {
  // Token and permission.
  40001: NO_ACCOUNT,
  40102: NO_ACCOUNT,
  40103: NO_ACCOUNT,
  40104: NO_ACCOUNT,
  40105: NO_ACCOUNT,
  40107: NO_ACCOUNT,
  40110: NO_ACCOUNT,
  40130: NO_ACCOUNT,
  // The account is blocked.
  40003: NO_ACCOUNT,
  41000: NO_ACCOUNT,
  // Throttles.
  40100: THROTTLED,
  40132: THROTTLED,
  61000: THROTTLED,
  // The conversation, our request.
  40007: REFUSED,
  40000: REFUSED,
  40002: REFUSED,
  40050: REFUSED,
  // Documented as temporary: refused before sending, so it may be tried again.
  50000: OUTAGE,
  51010: OUTAGE,
  51065: OUTAGE,
  60001: OUTAGE,
  // Temporary too, but an inner call without an answer may have sent the message. If it did, its echo settles it.
  50002: UNKNOWN,
  51000: UNKNOWN,
} as const satisfies Readonly<Record<number, TikTokMeaning>>;

/**
 * The meaning of a code. An undocumented one means: in the range of wrong requests, this message; in the range of
 * outages, try again; else nothing is proven.
 */
export function meaningOfTikTokCode(code: string, words: string): TikTokMeaning {
  if (code === "40064" && TOO_FAST.test(words)) return RESTED;
  const table: Readonly<Record<string, TikTokMeaning>> = CODES;
  const known = Object.hasOwn(table, code) ? table[code] : undefined;
  if (known !== undefined) return known;
  if (/^52\d{3}$/.test(code)) return OUTAGE;
  return /^4\d{4}$/.test(code) ? REFUSED : UNKNOWN;
}

/** The window's own name (contract §5); TikTok's code for it is not documented (channels.md §6.3). */
const WINDOW_CLOSED = "131047";
/** Refusals of a parameter. Their words name other limits too, so only the window itself counts. */
const PARAMETERS = new Set(["40000", "40002"]);

/** The code to store: a refusal that mentions the window or its ten messages gets the code for that. */
export function storedTikTokCode(code: string, words: string): string {
  const known = Object.hasOwn(CODES, code) && !PARAMETERS.has(code);
  if (known || !/^4\d{4}$/.test(code)) return code;
  const telling = PARAMETERS.has(code) ? /\b48\b|\bwindow\b/i : /\b48\b|\bwindow\b|\blimit\b/i;
  return telling.test(words) ? WINDOW_CLOSED : code;
}
