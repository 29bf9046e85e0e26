/** What happens to an accepted message's echo and marks. */
export type PagePlan = "none" | "early" | "read" | "twice" | "late";

/** The behaviour of a customer's id, by its last four digits. Documented in the README; off with `magic: false`. */
export type PageMagic =
  | { readonly kind: "refuse"; readonly code: number; readonly subcode?: number }
  | { readonly kind: "marks"; readonly plan: PagePlan }
  | { readonly kind: "connection"; readonly accepted: boolean; readonly hang?: boolean }
  | { readonly kind: "slow"; readonly delayMs: number };

const TABLE: Readonly<Record<string, PageMagic>> = {
  "0002": { kind: "refuse", code: 2 },
  "0004": { kind: "refuse", code: 4 },
  "0010": { kind: "refuse", code: 10 },
  "0033": { kind: "refuse", code: 100, subcode: 33 },
  "0100": { kind: "refuse", code: 100 },
  "0108": { kind: "refuse", code: 10, subcode: 2018108 },
  "0190": { kind: "refuse", code: 190 },
  "0278": { kind: "refuse", code: 10, subcode: 2018278 },
  "0368": { kind: "refuse", code: 368 },
  "0551": { kind: "refuse", code: 551, subcode: 1545041 },
  "0613": { kind: "refuse", code: 613 },
  "0903": { kind: "marks", plan: "read" },
  "0904": { kind: "marks", plan: "twice" },
  "0907": { kind: "marks", plan: "none" },
  "0908": { kind: "marks", plan: "early" },
  "0909": { kind: "marks", plan: "late" },
  "0910": { kind: "slow", delayMs: 5_000 },
  "0911": { kind: "connection", accepted: true },
  "0912": { kind: "connection", accepted: false },
  "0913": { kind: "connection", accepted: true, hang: true },
};

export const pageMagicOf = (id: string): PageMagic | null => TABLE[id.slice(-4)] ?? null;
