import type { CodeTable, GraphMeaning } from "./outcome.ts";

const REFUSED = { reason: "rejected", scope: "recipient" } as const satisfies GraphMeaning;
const NO_ACCOUNT = { reason: "misconfigured", scope: "account" } as const satisfies GraphMeaning;
const OUTAGE = { reason: "unreachable", scope: "recipient" } as const satisfies GraphMeaning;
const THROTTLED = {
  reason: "throttled",
  scope: "account",
  retryAfterMs: 60_000,
} as const satisfies GraphMeaning;

const UNKNOWN = { reason: "unknown", scope: "recipient" } as const satisfies GraphMeaning;

/**
 * Subcodes of 10 that mean the reply window: of Messenger, and of Instagram (2534022). The list is not complete,
 * so the words count as well. Any other 10 is a missing permission or a restricted page, except the customer's own
 * below.
 */
const WINDOW_SUBCODES = new Set(["2018278", "2018065", "2534022"]);
const WINDOW_WORDS = /outside of (the )?allowed window/i;
const isWindow = (subcode: string | null, words: string): boolean =>
  WINDOW_SUBCODES.has(subcode ?? "") || WINDOW_WORDS.test(words);

/**
 * Errors that look like the account's and are about one customer or one thread (Meta, "Common Error Codes"): the person
 * does not take messages now, stopped notifications, or was written to too often; another app controls the thread
 * (a hand-over, Meta's own assistant); the thread has fewer features.
 */
const PERSON_SUBCODES = new Set(["2018108", "1545041", "1893015", "2018338", "2018300", "2018336"]);
const FOREIGN_THREAD = /controlling this thread|thread owner|owner of the thread/i;
const PERSON_CODES = /^(10|200|613)$/;
const isPerson = (code: string, subcode: string | null, words: string): boolean =>
  PERSON_CODES.test(code) &&
  (PERSON_SUBCODES.has(subcode ?? "") || (code === "10" && FOREIGN_THREAD.test(words)));

/** An automated flow of Messenger's has the thread: its end is to be waited for. */
const BUSY_THREAD = "2018321";

/** Of 100, which is mostly about one message: the page has no Instagram account, or the business is blocked. */
const ACCOUNT_SUBCODES = new Set(["2534013", "2534029"]);

/** The codes of Messenger and Instagram (channels.md §3.4). 551 means blocked or deactivated; it does not say which. */
const CODES = {
  0: NO_ACCOUNT,
  102: NO_ACCOUNT,
  104: NO_ACCOUNT,
  190: NO_ACCOUNT,
  368: NO_ACCOUNT,
  4: THROTTLED,
  17: THROTTLED,
  32: THROTTLED,
  613: THROTTLED,
  80001: THROTTLED,
  80002: THROTTLED,
  80006: THROTTLED,
  // "User not visible".
  210: REFUSED,
  551: REFUSED,
  100: REFUSED,
  36000: REFUSED,
  2018007: REFUSED,
  2018300: REFUSED,
  [BUSY_THREAD]: OUTAGE,
  2018047: REFUSED,
  1: OUTAGE,
  2: OUTAGE,
  1200: OUTAGE,
} as const satisfies Readonly<Record<number, GraphMeaning>>;

function meaningOf(code: string, subcode: string | null, words: string): GraphMeaning | null {
  // Unlike on WhatsApp the subcode decides for 10.
  if (code === "10" && isWindow(subcode, words)) return REFUSED;
  if (isPerson(code, subcode, words)) return REFUSED;
  if (subcode === BUSY_THREAD) return OUTAGE;
  if (code === "100" && ACCOUNT_SUBCODES.has(subcode ?? "")) return NO_ACCOUNT;
  if (code === "10") return NO_ACCOUNT;
  // "Received invalid JSON reply": Meta says that the message was sent all the same. Its echo settles it.
  if (code === "1" && subcode === "1357046") return UNKNOWN;
  const table: Readonly<Record<string, GraphMeaning>> = CODES;
  if (Object.hasOwn(table, code)) return table[code] ?? null;
  return /^2\d\d$/.test(code) ? NO_ACCOUNT : null;
}

/** The window has one name on every channel (contract §5). */
const storedCode = (code: string, subcode: string | null, words: string): string =>
  code === "10" && isWindow(subcode, words) ? "131047" : code;

export const messagingCodes: CodeTable = { meaningOf, storedCode };

/**
 * As `messagingCodes`, for a send with the human-agent tag. A missing permission then means the tag, which needs a
 * review of its own, and says nothing about ordinary replies.
 */
export const taggedCodes: CodeTable = {
  storedCode,
  meaningOf(code, subcode, words) {
    const hasOwnMeaning = subcode === "1893063" || subcode === BUSY_THREAD;
    const isPermission = /^(10|2\d\d)$/.test(code) && !hasOwnMeaning;
    return isPermission ? REFUSED : meaningOf(code, subcode, words);
  },
};
