import type { Random } from "../core/random.ts";
import type { StatusPlan } from "./magic.ts";
import type { StatusOptions } from "./options.ts";

export interface PlannedStatus {
  readonly status: "sent" | "delivered" | "read" | "failed";
  readonly afterMs: number;
  readonly code: number | null;
}

/**
 * The statuses of one message and when they come: sent, delivered, read in that order, unless the options or the
 * number say otherwise. `failure` makes it `failed` with that code and nothing else.
 */
export function planStatuses(
  options: StatusOptions,
  random: Random,
  failure: number | null,
  plan: StatusPlan | null,
): PlannedStatus[] {
  const delays = [
    options.sentMs ?? [20, 60],
    options.deliveredMs ?? [60, 150],
    options.readMs ?? [150, 400],
  ] as const;
  // Never earlier than the status before it.
  let floor = 0;
  const times = delays.map(
    ([least, most]) => (floor = Math.max(floor, random.between(least, most))),
  );
  const at = (index: number) => times[Math.min(index, 2)] ?? 0;
  if (failure !== null) return [{ status: "failed", afterMs: at(0), code: failure }];
  if (plan) {
    return plan.statuses.map((status, index) => ({
      status,
      afterMs: plan.early ? 0 : (plan.lateMs ?? 0) + at(0) + index * Math.max(1, at(1) - at(0)),
      code: status === "failed" ? (plan.failedCode ?? 131026) : null,
    }));
  }
  const names: PlannedStatus["status"][] = ["sent", "delivered"];
  if (random.next() < (options.readChance ?? 1)) names.push("read");
  const order = random.chance(options.shuffleChance ?? 0) ? random.shuffle(names) : names;
  const planned: PlannedStatus[] = [];
  for (const [index, status] of order.entries()) {
    if (random.chance(options.lossChance ?? 0)) continue;
    const one = { status, afterMs: options.beforeAnswer ? 0 : at(index), code: null };
    planned.push(one);
    if (random.chance(options.duplicateChance ?? 0)) planned.push(one);
  }
  return planned;
}
