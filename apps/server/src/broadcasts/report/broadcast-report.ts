import type { Context } from "../../context.ts";
import type { BroadcastJson } from "../../wire/broadcast.ts";
import type { BroadcastReportJson, FunnelJson } from "../../wire/broadcast-report.ts";
import { presentBroadcast } from "../record/broadcast.ts";
import { presentReason } from "../record/stop-reason.ts";
import { byReason, countBroadcast, funnelOf } from "./broadcast-funnel.ts";
import { findBroadcast } from "../record/find-broadcast.ts";
import { OUTCOME_UNKNOWN } from "../../sending/give-up-lost.ts";

type Counts = Pick<
  BroadcastJson,
  "totalCount" | "sentCount" | "deliveredCount" | "readCount" | "failedCount" | "skippedCount"
>;

/** Counts every recipient anew, apart from the pool that requests use: seconds at a million. */
export async function broadcastReport(
  context: Pick<Context, "db">,
  workspaceId: string,
  id: string,
): Promise<BroadcastReportJson> {
  const broadcast = await findBroadcast(context, workspaceId, id);
  const counts = await countBroadcast(context, broadcast);
  const funnel = funnelOf(counts);
  const failed = byReason(counts, "failed");
  const reason = presentReason(broadcast);
  return {
    broadcast: { ...presentBroadcast(broadcast), ...countsOf(funnel) },
    statusReason: broadcast.statusReason,
    ...(reason !== undefined && { reason }),
    startedAt: broadcast.startedAt?.toISOString() ?? null,
    completedAt: broadcast.completedAt?.toISOString() ?? null,
    pendingCount: funnel.pending,
    sendingCount: funnel.sending,
    skipped: byReason(counts, "skipped"),
    failed,
    unknownCount: failed[OUTCOME_UNKNOWN] ?? 0,
    funnel,
  };
}

/**
 * The campaign's own counts are from another instant: recipients that were sent to meanwhile would be in both, or
 * in neither.
 */
const countsOf = ({ total, sent, delivered, read, failed, skipped }: FunnelJson): Counts => ({
  totalCount: total,
  sentCount: sent,
  deliveredCount: delivered,
  readCount: read,
  failedCount: failed,
  skippedCount: skipped,
});
