import type { Tx } from "../db/database.ts";
import type { NewEvent } from "../webhooks/event.ts";
import { findWorkspaces } from "../workspaces/find-workspace.ts";
import { limitsOf } from "../workspaces/plan-limits.ts";
import { monthBounds, monthOf } from "./month.ts";
import { reserve, type SlotWant } from "./usage-store.ts";

/** The slots that a workspace got. */
export interface Reservation {
  /** From 0 to the requested number. */
  readonly granted: number;
  /** Slots used this month, including the granted ones. */
  readonly used: number;
  /** Null is unlimited. */
  readonly limit: number | null;
  /** A suspended workspace gets nothing. */
  readonly suspended: boolean;
  /** The `usage.threshold` events at 80 % and 100 %, each once a month. The caller emits them last, with its own. */
  readonly events: readonly NewEvent[];
}

const NOTHING: Reservation = { granted: 0, used: 0, limit: 0, suspended: false, events: [] };

/** Workspaces by id. */
export type Workspaces = Awaited<ReturnType<typeof findWorkspaces>>;

/**
 * Reserves slots of the message allowance of the UTC month of `at` (contract §5, Quota). `at` is when the messages are
 * stored, by which they are counted too: of a message at the end of a month, slot and count belong to the same month. It
 * grants exactly as many as are left, however many transactions ask at the same time. A request for 0 only reads the
 * state. Requests of one workspace are added up. The rows stay locked until the transaction ends, so lock conversations
 * and messages first. An unknown workspace gets nothing. Pass `known` when this transaction has already read the
 * workspaces.
 */
export async function reserveSlots(
  tx: Tx,
  at: Date,
  requests: readonly { readonly workspaceId: string; readonly count: number }[],
  known?: Workspaces,
): Promise<Map<string, Reservation>> {
  const counts = new Map<string, number>();
  for (const { workspaceId, count } of requests) {
    counts.set(workspaceId, (counts.get(workspaceId) ?? 0) + count);
  }
  const workspaces = known ?? (await findWorkspaces(tx, [...counts.keys()]));
  const wants: SlotWant[] = [];
  for (const [workspaceId, count] of counts) {
    const workspace = workspaces.get(workspaceId);
    if (!workspace) continue;
    const suspended = workspace.suspendedAt !== null;
    const limit = limitsOf(workspace).messages;
    wants.push({ workspaceId, count: suspended ? 0 : count, limit, suspended });
  }
  const grants = await reserve(tx, monthOf(at), wants);
  const result = new Map<string, Reservation>();
  for (const workspaceId of counts.keys()) result.set(workspaceId, NOTHING);
  for (const { workspaceId, limit, suspended } of wants) {
    const grant = grants.get(workspaceId);
    if (!grant) continue;
    const { granted, used } = grant;
    const events = crossed(grant.announcedBefore, grant.announced).map((percent) =>
      thresholdEvent(workspaceId, percent, limit ?? 0, used, at),
    );
    result.set(workspaceId, { granted, used, limit, suspended, events });
  }
  return result;
}

function crossed(before: number, after: number): (80 | 100)[] {
  return ([80, 100] as const).filter((percent) => before < percent && percent <= after);
}

function thresholdEvent(
  workspaceId: string,
  percent: 80 | 100,
  limit: number,
  usage: number,
  at: Date,
): NewEvent {
  const { start, end } = monthBounds(at);
  return {
    workspaceId,
    type: "usage.threshold",
    data: {
      meter: "messages",
      percent,
      limit,
      usage,
      periodStart: start.toISOString(),
      periodEnd: end.toISOString(),
    },
  };
}
