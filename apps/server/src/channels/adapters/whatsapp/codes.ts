import type { GraphMeaning } from "../meta/outcome.ts";

// The classes of channels.md §0.2 in the words of `SendOutcome`.
const REFUSED = { reason: "rejected", scope: "recipient" } as const satisfies GraphMeaning;
const CLOSED = { reason: "rejected", scope: "account" } as const satisfies GraphMeaning;
const TEMPLATE = { reason: "rejected", scope: "template" } as const satisfies GraphMeaning;
const OPTED_OUT = { reason: "opted_out", scope: "recipient" } as const satisfies GraphMeaning;
const NO_ACCOUNT = { reason: "misconfigured", scope: "account" } as const satisfies GraphMeaning;
const OUTAGE = { reason: "unreachable", scope: "recipient" } as const satisfies GraphMeaning;
const throttled = (scope: "account" | "recipient", seconds: number): GraphMeaning => ({
  reason: "throttled",
  scope,
  retryAfterMs: seconds * 1000,
});

/**
 * Every code of channels.md §2.12. The waits apply when the answer's headers name none: a throughput limit is
 * counted per second, an app's call limits per hour, and a recipient is free again after six seconds.
 */
const CODES = {
  // Token and permissions (200–299 below).
  0: NO_ACCOUNT,
  3: NO_ACCOUNT,
  10: NO_ACCOUNT,
  104: NO_ACCOUNT,
  190: NO_ACCOUNT,
  131005: NO_ACCOUNT,
  // The account: number deleted, policy, locked, name, certificate, not registered.
  33: NO_ACCOUNT,
  368: NO_ACCOUNT,
  131031: NO_ACCOUNT,
  131037: NO_ACCOUNT,
  131045: NO_ACCOUNT,
  131063: NO_ACCOUNT,
  133010: NO_ACCOUNT,
  // Not allowed to write to a country, or what Meta charges for cannot be paid: a campaign stops, the channel itself still
  // works. Answers in the reply window cost nothing and go on.
  130497: CLOSED,
  131042: CLOSED,
  131044: CLOSED,
  // Throttles.
  4: throttled("account", 60),
  17: throttled("account", 60),
  613: throttled("account", 60),
  80007: throttled("account", 60),
  130429: throttled("account", 1),
  131056: throttled("recipient", 6),
  133016: throttled("account", 60),
  // Quality: the first and the last stop a campaign, the others are about one customer.
  131048: CLOSED,
  131049: REFUSED,
  130472: REFUSED,
  131064: CLOSED,
  // Window closed; 470 is its name on the older platform.
  131047: REFUSED,
  470: REFUSED,
  // The address.
  131021: REFUSED,
  131026: REFUSED,
  131030: REFUSED,
  131062: REFUSED,
  131050: OPTED_OUT,
  // Our request.
  100: REFUSED,
  131001: REFUSED,
  131002: REFUSED,
  131006: REFUSED,
  131008: REFUSED,
  131009: REFUSED,
  131051: REFUSED,
  131052: REFUSED,
  // A file that could not be read: documented as worth one more try.
  131053: { ...REFUSED, onceMore: true },
  135000: REFUSED,
  // The template. 132005 (too long once filled in) and 132018 (a text it does not accept) depend on the
  // parameters.
  132000: TEMPLATE,
  132001: TEMPLATE,
  132005: REFUSED,
  132007: TEMPLATE,
  132008: TEMPLATE,
  132012: TEMPLATE,
  132015: TEMPLATE,
  132016: TEMPLATE,
  132018: REFUSED,
  132068: TEMPLATE,
  132069: TEMPLATE,
  // Documented as temporary: refused before sending, so it may be tried again.
  1: OUTAGE,
  2: OUTAGE,
  131000: OUTAGE,
  131016: OUTAGE,
  131057: OUTAGE,
  133004: OUTAGE,
  // Others: expired, identity changed, posted twice.
  131043: REFUSED,
  137000: REFUSED,
  506: REFUSED,
} as const satisfies Readonly<Record<number, GraphMeaning>>;

/** The meaning of a code, or null for an undocumented one. `subcode` 33 with code 100: no such phone number id. */
export function meaningOfWhatsAppCode(
  code: string,
  subcode: string | null = null,
): GraphMeaning | null {
  if (code === "100" && subcode === "33") return NO_ACCOUNT;
  const table: Readonly<Record<string, GraphMeaning>> = CODES;
  if (Object.hasOwn(table, code)) return table[code] ?? null;
  if (/^2\d\d$/.test(code)) return NO_ACCOUNT;
  if (/^2388\d{3}$/.test(code)) return TEMPLATE;
  return null;
}

/** Whether somebody must see to the account's payment. */
export const isUnpaid = (code: string): boolean => code === "131042" || code === "131044";

/**
 * The scope of a failure that came as a status. A temporary one (throttle, outage) failed only this message and
 * says nothing of the next, so it must not stop a campaign.
 */
export function scopeOfStatus(verdict: GraphMeaning | null): GraphMeaning["scope"] {
  return verdict?.reason === "rejected" || verdict?.reason === "misconfigured"
    ? verdict.scope
    : "recipient";
}

/** The code as we store it: the window has one name (contract §5). */
export const storedWhatsAppCode = (code: string): string => (code === "470" ? "131047" : code);
