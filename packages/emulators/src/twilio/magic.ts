/** The behaviour of a number. The +1500555 numbers are Twilio's own test numbers; the endings are ours. */
export type SmsMagic =
  | { readonly kind: "refuse"; readonly code: number }
  | { readonly kind: "undelivered" | "failed"; readonly code: number }
  | {
      readonly kind: "statuses";
      readonly statuses: readonly string[];
      readonly early?: boolean;
      readonly lateMs?: number;
    }
  | { readonly kind: "connection"; readonly accepted: boolean; readonly hang?: boolean }
  | { readonly kind: "slow"; readonly delayMs: number };

const TO: Readonly<Record<string, number>> = {
  "+15005550001": 21211,
  "+15005550002": 21612,
  "+15005550003": 21408,
  "+15005550004": 21610,
  "+15005550009": 21614,
};

const FROM: Readonly<Record<string, number | null>> = {
  "+15005550001": 21212,
  "+15005550006": null,
  "+15005550007": 21606,
  "+15005550008": 21611,
};

const ENDING: Readonly<Record<string, SmsMagic>> = {
  "0003": { kind: "refuse", code: 20003 },
  "0429": { kind: "refuse", code: 20429 },
  "0500": { kind: "refuse", code: 20500 },
  "0503": { kind: "refuse", code: 20503 },
  "1211": { kind: "refuse", code: 21211 },
  "1408": { kind: "refuse", code: 21408 },
  "1610": { kind: "refuse", code: 21610 },
  "1611": { kind: "refuse", code: 21611 },
  "1612": { kind: "refuse", code: 21612 },
  "1614": { kind: "refuse", code: 21614 },
  "0001": { kind: "failed", code: 30001 },
  "0002": { kind: "failed", code: 30002 },
  "0005": { kind: "undelivered", code: 30005 },
  "0006": { kind: "undelivered", code: 30006 },
  "0007": { kind: "undelivered", code: 30007 },
  "0008": { kind: "undelivered", code: 30008 },
  "0013": { kind: "undelivered", code: 30003 },
  "0014": { kind: "undelivered", code: 30004 },
  "0901": { kind: "statuses", statuses: ["queued", "sent"] },
  "0904": { kind: "statuses", statuses: ["sent", "sent", "delivered", "delivered"] },
  "0905": { kind: "statuses", statuses: ["delivered", "sent", "queued"] },
  "0907": { kind: "statuses", statuses: [] },
  "0908": { kind: "statuses", statuses: ["sent", "delivered"], early: true },
  "0909": { kind: "statuses", statuses: ["sent", "delivered"], lateMs: 60_000 },
  "0910": { kind: "slow", delayMs: 5_000 },
  "0911": { kind: "connection", accepted: true },
  "0912": { kind: "connection", accepted: false },
  "0913": { kind: "connection", accepted: true, hang: true },
};

/** The behaviour of a magic number (E.164), or null for an ordinary one. */
export function smsMagicOf(to: string): SmsMagic | null {
  return ENDING[to.slice(-4)] ?? null;
}

/** The behaviour of Twilio's own test numbers, while magic numbers work. */
export function testNumber(magic: boolean, to: string): SmsMagic | null {
  const code = magic ? TO[to] : undefined;
  return code === undefined ? null : { kind: "refuse", code };
}

/** The meaning of a test sender: a code, null when it is always valid, undefined for any other number. */
export function senderMagic(from: string): number | null | undefined {
  return FROM[from];
}
