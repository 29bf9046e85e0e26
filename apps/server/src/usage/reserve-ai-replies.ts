import type { Context } from "../context.ts";
import type { Tx } from "../db/database.ts";
import type { NewEvent } from "../webhooks/event.ts";
import { findWorkspaces } from "../workspaces/find-workspace.ts";
import { limitsOf } from "../workspaces/plan-limits.ts";
import { monthBounds, monthOf } from "./month.ts";
import { returnAi, reserveOneAi } from "./ai-reply-store.ts";

/** One AI reply of this month, or why there is none. */
export interface AiReservation {
  readonly granted: boolean;
  /** The month in which it counts, as its first day. */
  readonly month: string;
  readonly used: number;
  readonly limit: number | null;
  /** The thresholds that this reply reached first. */
  readonly crossed: readonly (80 | 100)[];
  /** `usage.threshold` at 80 % and 100 %, each once a month. The caller emits them last. */
  readonly events: readonly NewEvent[];
}

/**
 * Reserves one AI reply of this UTC month. It grants exactly as many as the plan has, however many transactions ask at the
 * same time; a suspended workspace gets none. The caller stores its turn in the same transaction: the turn is the
 * reservation. Lock conversations and runs first.
 */
export async function reserveAiReply(
  context: Pick<Context, "clock">,
  tx: Tx,
  workspaceId: string,
): Promise<AiReservation> {
  const at = context.clock.now();
  const month = monthOf(at);
  const workspace = (await findWorkspaces(tx, [workspaceId])).get(workspaceId);
  if (!workspace || workspace.suspendedAt !== null)
    return { granted: false, month, used: 0, limit: 0, crossed: [], events: [] };
  const limit = limitsOf(workspace).aiReplies;
  const { used, granted, before, announced } = await reserveOneAi(tx, workspaceId, month, limit);
  const { start, end } = monthBounds(at);
  const crossed = ([80, 100] as const).filter(
    (percent) => before < percent && percent <= announced,
  );
  const events = crossed.map((percent): NewEvent => ({
    workspaceId,
    type: "usage.threshold",
    data: {
      meter: "aiReplies",
      percent,
      limit: limit ?? 0,
      usage: used,
      periodStart: start.toISOString(),
      periodEnd: end.toISOString(),
    },
  }));
  return { granted, month, used, limit, crossed, events };
}

/** Gives an AI reply back to the month in which it was reserved. Only the end of an open turn calls it. */
export const giveBackAiReply = (tx: Tx, workspaceId: string, month: string): Promise<void> =>
  returnAi(tx, workspaceId, month);
