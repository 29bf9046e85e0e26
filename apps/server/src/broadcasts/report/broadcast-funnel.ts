import type { Context } from "../../context.ts";
import type { BroadcastKey } from "../record/broadcast-store.ts";
import type { FunnelJson } from "../../wire/broadcast-report.ts";
import { allCounts, type CountRow, type OutcomeCount, type ResponseCount } from "./funnel-store.ts";

export interface Counts {
  readonly outcomes: readonly OutcomeCount[];
  readonly responses: readonly ResponseCount[];
}

/** After this time the answer is `QueryTimeout`. */
export const REPORT_TIMEOUT_MS = 20_000;

/** Counts every recipient anew, apart from the pool that requests use: about a second at a million. */
export async function countBroadcast(
  context: Pick<Context, "db">,
  key: BroadcastKey,
): Promise<Counts> {
  const outcomes: OutcomeCount[] = [];
  const responses: ResponseCount[] = [];
  for (const row of await context.db.slowQuery<CountRow>(allCounts(key), REPORT_TIMEOUT_MS))
    if (row.kind === null) outcomes.push(row);
    else responses.push(row);
  return { outcomes, responses };
}

/** The funnel of a campaign or, with `variant`, of its recipients. Pure. */
export function funnelOf({ outcomes, responses }: Counts, variant?: number): FunnelJson {
  const ours = <C extends { variant: number | null; count: number }>(list: readonly C[]) =>
    variant === undefined ? list : list.filter((one) => one.variant === variant);
  const own = ours(outcomes);
  const sum = (...statuses: string[]) =>
    own.reduce((total, one) => total + (statuses.includes(one.status) ? one.count : 0), 0);
  const answers = ours(responses);
  const response = (kind: ResponseCount["kind"]) =>
    answers.reduce((total, one) => total + (one.kind === kind ? one.count : 0), 0);
  return {
    total: own.reduce((total, one) => total + one.count, 0),
    skipped: sum("skipped"),
    pending: sum("pending"),
    sending: sum("sending"),
    failed: sum("failed"),
    sent: sum("sent", "delivered", "read"),
    delivered: sum("delivered", "read"),
    read: sum("read"),
    replied: response("replied"),
    optedOut: response("optedOut"),
  };
}

/** How many recipients of a status there are, by reason. */
export function byReason(
  { outcomes }: Counts,
  status: OutcomeCount["status"],
): Record<string, number> {
  const reasons: Record<string, number> = {};
  for (const one of outcomes)
    if (one.status === status) {
      const reason = one.reason ?? "";
      reasons[reason] = (reasons[reason] ?? 0) + one.count;
    }
  return reasons;
}
