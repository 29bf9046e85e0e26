import type { Context } from "../context.ts";
import { isId } from "../lib/ids.ts";
import { presentBroadcast, type BroadcastJson } from "./broadcast.ts";
import { findBroadcast } from "./find-broadcast.ts";
import { OUTCOME_UNKNOWN } from "./recipient.ts";
import {
  selectUnknown,
  statusCounts,
  type StatusCount,
  type UnknownOutcome,
} from "./report-store.ts";

/** Where every recipient of a campaign stands. */
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
  /** Recipients of whom nobody knows whether the message arrived (`listUnknownOutcomes` names them). */
  readonly unknownCount: number;
}

const TIMEOUT_MS = 20_000;

/** Counts every recipient afresh, apart from the pool that requests use: seconds at a million. */
export async function broadcastReport(
  context: Pick<Context, "db">,
  workspaceId: string,
  id: string,
): Promise<BroadcastReport> {
  const broadcast = await findBroadcast(context, workspaceId, id);
  const counts = await context.db.slowQuery<StatusCount>(
    statusCounts({ workspaceId, id }),
    TIMEOUT_MS,
  );
  const sum = (status: StatusCount["status"]) =>
    counts.reduce((total, one) => total + (one.status === status ? one.count : 0), 0);
  const byReason = (status: StatusCount["status"]) =>
    Object.fromEntries(
      counts.filter((one) => one.status === status).map((one) => [one.reason ?? "", one.count]),
    );
  const failed = byReason("failed");
  return {
    broadcast: presentBroadcast(broadcast),
    statusReason: broadcast.statusReason,
    startedAt: broadcast.startedAt?.toISOString() ?? null,
    completedAt: broadcast.completedAt?.toISOString() ?? null,
    pendingCount: sum("pending"),
    sendingCount: sum("sending"),
    skipped: byReason("skipped"),
    failed,
    unknownCount: failed[OUTCOME_UNKNOWN] ?? 0,
  };
}

/** Up to 1,000 recipients that ended as OUTCOME_UNKNOWN, by name, from after a contact on (contract §5, Recipients). */
export async function listUnknownOutcomes(
  context: Pick<Context, "db">,
  workspaceId: string,
  id: string,
  options: { readonly after?: string; readonly limit?: number } = {},
): Promise<UnknownOutcome[]> {
  const { workspaceId: owner } = await findBroadcast(context, workspaceId, id);
  const after = options.after !== undefined && isId(options.after) ? options.after : null;
  const limit = Math.min(1_000, Math.max(1, Math.trunc(options.limit ?? 1_000)));
  return selectUnknown(context.db, { workspaceId: owner, id }, after, limit);
}
