import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";
import { findWorkspace } from "../workspaces/find-workspace.ts";
import { limitsOf } from "../workspaces/plan-limits.ts";
import type { UsageSummaryJson } from "../wire/usage.ts";
import { monthBounds, monthOf } from "./month.ts";
import { selectSummary } from "./usage-store.ts";

/**
 * The meter of the current UTC month. `usage.messages` is the number of slots taken, so sent and failed messages.
 * Throws NOT_FOUND for an unknown workspace.
 */
export async function usageSummary(
  context: Pick<Context, "db" | "clock">,
  workspaceId: string,
): Promise<UsageSummaryJson> {
  const workspace = await findWorkspace(context, workspaceId);
  if (!workspace) throw new AppError("NOT_FOUND", { explanation: "no such workspace" });
  const now = context.clock.now();
  const { start, end } = monthBounds(now);
  const { used, aiUsed, seats, channels, bots, meters } = await selectSummary(
    context.db,
    workspaceId,
    monthOf(now),
    now,
  );
  const limits = limitsOf(workspace);
  const sum = (key: "sent" | "received" | "failed" | "aiReplies") =>
    meters.reduce((total, meter) => total + meter[key], 0);
  const [sent, received, failed, aiReplies] = [
    sum("sent"),
    sum("received"),
    sum("failed"),
    sum("aiReplies"),
  ];
  return {
    plan: workspace.plan,
    limits,
    usage: {
      messages: used,
      seats,
      bots,
      channels,
      aiReplies: aiUsed,
      failed,
      byChannel: meters,
    },
    period: {
      total: sent + received + failed,
      sent,
      received,
      failed,
      aiReplies,
      byChannel: meters,
    },
    periodStart: start.toISOString(),
    periodEnd: end.toISOString(),
    percentUsed: percentUsed(used, limits.messages),
  };
}

/**
 * The used part of the message allowance in whole per cent, rounded down. Null when unlimited. A limit of 0 counts as
 * used up.
 */
export function percentUsed(used: number, limit: number | null): number | null {
  if (limit === null) return null;
  return limit === 0 ? 100 : Math.floor((used * 100) / limit);
}
