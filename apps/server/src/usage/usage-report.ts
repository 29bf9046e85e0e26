import type { Context } from "../context.ts";
import type { UsageSummaryJson } from "../wire/usage.ts";
import { findWorkspace } from "../workspaces/find-workspace.ts";
import { dayOf } from "./month.ts";
import { forecastUsage, type UsageForecast } from "./usage-forecast.ts";
import { selectDays, type DayRow } from "./usage-store.ts";
import { usageSummary } from "./usage-summary.ts";

export interface UsageReport {
  readonly summary: UsageSummaryJson;
  /** Every day of the month up to today, also days without messages. */
  readonly days: readonly DayRow[];
  readonly forecast: UsageForecast;
  /** The balance of SMS credits; null: not limited. */
  readonly smsCredits: number | null;
}

/** The meter of this month with its days and the forecast. Throws NOT_FOUND. */
export async function usageReport(
  context: Pick<Context, "db" | "clock">,
  workspaceId: string,
): Promise<UsageReport> {
  const [summary, workspace] = await Promise.all([
    usageSummary(context, workspaceId),
    findWorkspace(context, workspaceId),
  ]);
  const now = context.clock.now();
  const [monthStart, monthEnd] = [new Date(summary.periodStart), new Date(summary.periodEnd)];
  const found = await selectDays(context.db, workspaceId, dayOf(monthStart));
  const byDay = new Map(found.map((row) => [row.day, row]));
  const days: DayRow[] = [];
  for (let at = monthStart.getTime(); at <= now.getTime(); at += 86_400_000) {
    const day = dayOf(new Date(at));
    days.push(byDay.get(day) ?? { day, sent: 0, received: 0, failed: 0 });
  }
  const daily = new Map(days.map(({ day, sent, failed }) => [day, sent + failed]));
  const { messages: used } = summary.usage;
  const limit = summary.limits.messages;
  return {
    summary,
    days,
    forecast: forecastUsage(daily, { used, limit, now, monthStart, monthEnd }),
    smsCredits: workspace?.smsCredits ?? null,
  };
}
