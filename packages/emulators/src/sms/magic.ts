import type { GatewayState } from "./options.ts";

/** The behaviour of a recipient's number. */
export type GatewayMagic =
  | { readonly kind: "refuse"; readonly code: string }
  | { readonly kind: "failed"; readonly code: string }
  | { readonly kind: "states"; readonly states: readonly GatewayState[]; readonly early?: boolean }
  | { readonly kind: "connection"; readonly accepted: boolean; readonly hang?: boolean };

/** The gateway's codes for the last four digits, beside those common to all gateways. */
export interface MagicCodes {
  /** Refused in the answer. */
  readonly refuse: Readonly<Record<string, string>>;
  /** Accepted, then reported as failed. */
  readonly fail: Readonly<Record<string, string>>;
}

const COMMON: Readonly<Record<string, GatewayMagic>> = {
  "0901": { kind: "states", states: ["sent"] },
  "0904": { kind: "states", states: ["delivered", "delivered"] },
  "0905": { kind: "states", states: ["delivered", "sent"] },
  "0907": { kind: "states", states: [] },
  "0908": { kind: "states", states: ["delivered"], early: true },
  "0911": { kind: "connection", accepted: true },
  "0912": { kind: "connection", accepted: false },
  "0913": { kind: "connection", accepted: true, hang: true },
};

/** The behaviour of a recipient, or null for an ordinary one. */
export function gatewayMagic(codes: MagicCodes, to: string): GatewayMagic | null {
  const ending = to.slice(-4);
  const refuse = codes.refuse[ending];
  if (refuse !== undefined) return { kind: "refuse", code: refuse };
  const fail = codes.fail[ending];
  if (fail !== undefined) return { kind: "failed", code: fail };
  return COMMON[ending] ?? null;
}
