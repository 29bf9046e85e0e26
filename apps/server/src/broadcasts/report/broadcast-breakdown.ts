import type { Context } from "../../context.ts";
import { invalid } from "../../errors.ts";
import { breakdown, type BreakdownRow } from "./breakdown-store.ts";
import { REPORT_TIMEOUT_MS } from "./broadcast-funnel.ts";
import { findBroadcast } from "../record/find-broadcast.ts";

const TOP = 20;

export interface Breakdown {
  readonly by: string;
  /**
   * The 20 most frequent values. `value` null: recipients without a value. By tag a recipient counts under each of
   * its tags.
   */
  readonly values: readonly BreakdownRow[];
  /** All further values together; null when there are none. */
  readonly other: Omit<BreakdownRow, "value"> | null;
}

/**
 * The funnel of a campaign by a present fact of its recipients: `tag`, or `attribute.KEY` (texts, numbers and
 * booleans). Reads every recipient and contact of the campaign: seconds at a million, and `QueryTimeout` after 20
 * s. Errors: `BROADCAST_NOT_FOUND`, `VALIDATION_FAILED`.
 */
export async function broadcastBreakdown(
  context: Pick<Context, "db">,
  workspaceId: string,
  id: string,
  by: string,
): Promise<Breakdown> {
  const key = /^attribute\.(.+)$/s.exec(by)?.[1] ?? null;
  if (key === null && by !== "tag") throw invalid("by", "must be tag or attribute.KEY");
  const broadcast = await findBroadcast(context, workspaceId, id);
  const rows = await context.db.slowQuery<BreakdownRow & { isOther: boolean }>(
    breakdown(broadcast, key, TOP),
    REPORT_TIMEOUT_MS,
  );
  const values: BreakdownRow[] = [];
  let other: Breakdown["other"] = null;
  for (const { isOther, value, ...counts } of rows) {
    if (isOther) other = counts;
    else values.push({ value, ...counts });
  }
  return { by, values, other };
}
