import type { Random } from "../core/random.ts";
import type { SmsMagic } from "./magic.ts";
import type { TwilioOptions } from "./options.ts";

export interface PlannedCallback {
  readonly status: string;
  readonly errorCode: number | null;
  readonly afterMs: number;
}

/** The callbacks of one message and when they come; `early`: all before the answer. */
export function planCallbacks(
  options: NonNullable<TwilioOptions["statuses"]>,
  random: Random,
  magic: SmsMagic | null,
  early: boolean,
): PlannedCallback[] {
  const [sentMs, deliveredMs] = [options.sentMs ?? [10, 40], options.deliveredMs ?? [40, 120]];
  const sent = random.between(sentMs[0], sentMs[1]);
  const delivered = Math.max(sent, random.between(deliveredMs[0], deliveredMs[1]));
  const at = (index: number) => (early ? 0 : ([0, sent, delivered][index] ?? delivered + index));
  if (magic?.kind === "statuses")
    return magic.statuses.map((status, index) => ({
      status,
      errorCode: null,
      afterMs: (magic.lateMs ?? 0) + at(index),
    }));
  if (magic?.kind === "failed")
    return [{ status: "failed", errorCode: magic.code, afterMs: at(0) }];
  const last = magic?.kind === "undelivered" ? "undelivered" : "delivered";
  const names = ["queued", "sent", last];
  const order = random.chance(options.shuffleChance ?? 0) ? random.shuffle(names) : names;
  const planned: PlannedCallback[] = [];
  for (const [index, status] of order.entries()) {
    if (random.chance(options.lossChance ?? 0)) continue;
    const errorCode = status === "undelivered" && magic?.kind === "undelivered" ? magic.code : null;
    const one = { status, errorCode, afterMs: at(index) };
    planned.push(one);
    if (random.chance(options.duplicateChance ?? 0)) planned.push(one);
  }
  return planned;
}
