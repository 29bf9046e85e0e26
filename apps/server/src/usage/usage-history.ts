import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";
import { badCursor, cutPage } from "../lib/cut-page.ts";
import { PAGE_ITEMS } from "../operations/page.ts";
import { workspaceRecords } from "../operations/records.ts";
import { findWorkspace } from "../workspaces/find-workspace.ts";
import { LIMIT_NAMES } from "../workspaces/plan-limits.ts";
import { perform } from "../write.ts";
import { selectMonths } from "./usage-store.ts";
import { usageSummary } from "./usage-summary.ts";

const MOST_MONTHS = 200;

/** The months in which something was metered, newest first. Throws VALIDATION_FAILED for a cursor that no page gave. */
export const readUsageHistory = perform(
  workspaceRecords.listUsageMonths,
  async (_actor, context: Pick<Context, "db">, workspaceId, { cursor, limit = PAGE_ITEMS }) => {
    const size = Math.min(limit, MOST_MONTHS);
    const before = cursor === undefined ? "infinity" : firstDay(cursor);
    const months = await selectMonths(context.db, workspaceId, before, size + 1);
    const { items, last } = cutPage(months, size);
    return { items, nextCursor: last?.month ?? null };
  },
);

/** The first day of a month like `2026-10`. Throws VALIDATION_FAILED for another text. */
function firstDay(month: string): string {
  if (!/^(?!0000)\d{4}-(0[1-9]|1[0-2])$/.test(month)) throw badCursor();
  return `${month}-01`;
}

/** What the plan allows, and what is used of it. Throws NOT_FOUND. */
export const readLimits = perform(
  workspaceRecords.readLimits,
  async (_actor, context: Pick<Context, "db" | "clock">, workspaceId) => {
    const [workspace, summary] = await Promise.all([
      findWorkspace(context, workspaceId),
      usageSummary(context, workspaceId),
    ]);
    if (!workspace) throw new AppError("NOT_FOUND");
    return {
      plan: workspace.plan,
      suspended: workspace.suspendedAt !== null,
      items: LIMIT_NAMES.map((name) => ({
        name,
        limit: summary.limits[name],
        used: summary.usage[name],
        own: name in workspace.limitOverrides,
      })),
      smsCredits: workspace.smsCredits,
      periodEnd: summary.periodEnd,
    };
  },
);
