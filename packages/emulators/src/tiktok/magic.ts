/**
 * The behaviour of a customer, by the last four characters of the id. Documented in the README; off with `magic:
 * false`.
 */
export type TikTokMagic =
  | { readonly kind: "refuse"; readonly code: number }
  | {
      readonly kind: "events";
      readonly echo: number;
      readonly read: boolean;
      readonly early?: true;
      readonly lateMs?: number;
    }
  | { readonly kind: "connection"; readonly accepted: boolean; readonly hang?: true }
  | { readonly kind: "slow"; readonly delayMs: number };

const TABLE: Readonly<Record<string, TikTokMagic>> = {
  "0007": { kind: "refuse", code: 40007 },
  "0100": { kind: "refuse", code: 40100 },
  "0102": { kind: "refuse", code: 40102 },
  "0132": { kind: "refuse", code: 40132 },
  "0500": { kind: "refuse", code: 50000 },
  "0502": { kind: "refuse", code: 50002 },
  "1000": { kind: "refuse", code: 41000 },
  "0901": { kind: "events", echo: 1, read: false },
  "0903": { kind: "events", echo: 0, read: true },
  "0904": { kind: "events", echo: 2, read: true },
  "0907": { kind: "events", echo: 0, read: false },
  "0908": { kind: "events", echo: 1, read: true, early: true },
  "0909": { kind: "events", echo: 1, read: true, lateMs: 60_000 },
  "0910": { kind: "slow", delayMs: 5_000 },
  "0911": { kind: "connection", accepted: true },
  "0912": { kind: "connection", accepted: false },
  "0913": { kind: "connection", accepted: true, hang: true },
};

export function tiktokMagicOf(customer: string): TikTokMagic | null {
  return TABLE[customer.slice(-4)] ?? null;
}
