import type { Context } from "../../context.ts";
import type { BroadcastJson } from "../../wire/broadcast.ts";
import { presentBroadcast } from "../record/broadcast.ts";
import { byReason, countBroadcast, funnelOf, type Funnel } from "./broadcast-funnel.ts";
import { findBroadcast } from "../record/find-broadcast.ts";
import { OUTCOME_UNKNOWN } from "../../sending/give-up-lost.ts";

type Counts = Pick<
  BroadcastJson,
  "totalCount" | "sentCount" | "deliveredCount" | "readCount" | "failedCount" | "skippedCount"
>;

/** Where every recipient of a campaign stands, all of one instant. */
export interface BroadcastReport {
  readonly broadcast: BroadcastJson;
  /** Why the engine paused or failed it. */
  readonly statusReason: string | null;
  readonly startedAt: string | null;
  readonly completedAt: string | null;
  /** Waiting, and with a worker or the provider: total − sent − failed − skipped, told apart. */
  readonly pendingCount: number;
  readonly sendingCount: number;
  /** Contacts skipped, by reason; recipients failed, by the platform's code. */
  readonly skipped: Readonly<Record<string, number>>;
  readonly failed: Readonly<Record<string, number>>;
  /** Recipients of whom nobody knows whether the message arrived (`listRecipients` with this reason names them). */
  readonly unknownCount: number;
  /** From all of the audience to those who read, answered and opted out. */
  readonly funnel: Funnel;
}

/** Counts every recipient afresh, apart from the pool that requests use: seconds at a million. */
export async function broadcastReport(
  context: Pick<Context, "db">,
  workspaceId: string,
  id: string,
): Promise<BroadcastReport> {
  const broadcast = await findBroadcast(context, workspaceId, id);
  const counts = await countBroadcast(context, broadcast);
  const funnel = funnelOf(counts);
  const failed = byReason(counts, "failed");
  return {
    broadcast: { ...presentBroadcast(broadcast), ...countsOf(funnel) },
    statusReason: broadcast.statusReason,
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

/** The campaign's own counts are of another instant: those who were sent to meanwhile would be in both, or in none. */
const countsOf = ({ total, sent, delivered, read, failed, skipped }: Funnel): Counts => ({
  totalCount: total,
  sentCount: sent,
  deliveredCount: delivered,
  readCount: read,
  failedCount: failed,
  skippedCount: skipped,
});
