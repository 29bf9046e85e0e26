/** The behaviour of a number, by its last four digits. Documented in the README; off with `magic: false`. */
export type Magic =
  | { readonly kind: "refuse"; readonly code: number; readonly status?: number }
  | { readonly kind: "fail"; readonly code: number }
  | { readonly kind: "statuses"; readonly plan: StatusPlan }
  | { readonly kind: "connection"; readonly accepted: boolean; readonly hang?: boolean }
  | { readonly kind: "slow"; readonly delayMs: number };

/** The order in which a message's statuses come; `early` ones come before the answer to the send. */
export interface StatusPlan {
  readonly statuses: readonly ("sent" | "delivered" | "read" | "failed")[];
  readonly early?: boolean;
  /** This much later than usual. */
  readonly lateMs?: number;
  readonly failedCode?: number;
}

const TABLE: Readonly<Record<string, Magic>> = {
  // Refused in the answer.
  "0004": { kind: "refuse", code: 4 },
  "0016": { kind: "refuse", code: 131016 },
  "0031": { kind: "refuse", code: 131031 },
  "0042": { kind: "refuse", code: 131042 },
  "0056": { kind: "refuse", code: 131056 },
  "0100": { kind: "refuse", code: 100 },
  "0101": { kind: "refuse", code: 132001 },
  "0115": { kind: "refuse", code: 132015 },
  "0130": { kind: "refuse", code: 130429 },
  "0190": { kind: "refuse", code: 190 },
  "0368": { kind: "refuse", code: 368 },
  "0429": { kind: "refuse", code: 130429, status: 429 },
  // Accepted, then failed by webhook.
  "0026": { kind: "fail", code: 131026 },
  "0043": { kind: "fail", code: 131043 },
  "0047": { kind: "fail", code: 131047 },
  "0048": { kind: "fail", code: 131048 },
  "0049": { kind: "fail", code: 131049 },
  "0050": { kind: "fail", code: 131050 },
  "0053": { kind: "fail", code: 131053 },
  "0472": { kind: "fail", code: 130472 },
  // Accepted, with statuses of their own.
  "0901": { kind: "statuses", plan: { statuses: ["sent"] } },
  "0902": { kind: "statuses", plan: { statuses: ["sent", "delivered"] } },
  "0903": { kind: "statuses", plan: { statuses: ["sent", "read"] } },
  "0904": {
    kind: "statuses",
    plan: { statuses: ["sent", "sent", "delivered", "delivered", "read", "read"] },
  },
  "0905": { kind: "statuses", plan: { statuses: ["read", "delivered", "sent"] } },
  "0906": {
    kind: "statuses",
    plan: { statuses: ["sent", "failed", "delivered"], failedCode: 131026 },
  },
  "0907": { kind: "statuses", plan: { statuses: [] } },
  "0908": { kind: "statuses", plan: { statuses: ["sent", "delivered", "read"], early: true } },
  "0909": { kind: "statuses", plan: { statuses: ["sent", "delivered", "read"], lateMs: 60_000 } },
  // The connection.
  "0910": { kind: "slow", delayMs: 5_000 },
  "0911": { kind: "connection", accepted: true },
  "0912": { kind: "connection", accepted: false },
  "0913": { kind: "connection", accepted: true, hang: true },
};

/** The behaviour of an address, or null for an ordinary one. 0500 to 0599 are refused with 131000 and HTTP 500. */
export function magicOf(waId: string): Magic | null {
  const last = waId.slice(-4);
  return TABLE[last] ?? (/^05\d\d$/.test(last) ? { kind: "refuse", code: 131000 } : null);
}
