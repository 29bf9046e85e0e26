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

/** "This person isn't receiving messages from you right now": permission errors that are about one customer. */
const PERSON_SUBCODES = new Set(["2018108", "1545041"]);

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
  551: REFUSED,
  100: REFUSED,
  36000: REFUSED,
  2018007: REFUSED,
  2018047: REFUSED,
  1: OUTAGE,
  2: OUTAGE,
  1200: OUTAGE,
} as const satisfies Readonly<Record<number, GraphMeaning>>;

function meaningOf(code: string, subcode: string | null, words: string): GraphMeaning | null {
  // Unlike on WhatsApp the subcode decides for 10.
  if (code === "10" && isWindow(subcode, words)) return REFUSED;
  if ((code === "10" || code === "200") && PERSON_SUBCODES.has(subcode ?? "")) return REFUSED;
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
    const isPermission = /^(10|2\d\d)$/.test(code) && subcode !== "1893063";
    return isPermission ? REFUSED : meaningOf(code, subcode, words);
  },
};
