import type { Context } from "../context.ts";
import type { Tx } from "../db/database.ts";
import { notifyAdmins } from "../workspaces/notify-admins.ts";
import { recordAttempts, type FailureCount, type ResultRow } from "./attempt-store.ts";
import { DISABLE_AFTER, judgeDelivery, judgeEndpoint, type Attempt } from "./delivery-policy.ts";
import { emitEvents } from "./emit-events.ts";
import { disabledEvent } from "./endpoint.ts";
import { markDisabled } from "./endpoint-store.ts";
import type { NewEvent } from "./event.ts";

/** The result of one attempt. */
export interface AttemptResult extends Attempt {
  readonly workspaceId: string;
  readonly endpointId: string;
  readonly sequence: number;
  readonly number: number;
  /** Failures in this round of the schedule before this attempt. */
  readonly roundFailures: number;
  /**
   * True for a failure that adds to the failures in a row. A failure that was under way together with another does not:
   * the endpoint failed once.
   */
  readonly counts: boolean;
  readonly durationMs: number;
  readonly answer: string | null;
}

/**
 * Records attempts in the order in which they ended. Each delivery is acknowledged, put back for its next try or given
 * up. The endpoint's failures in a row are counted over all deliveries. The twentieth disables the endpoint, notifies
 * the admins once (contract §5, Webhook delivery) and emits `webhook.disabled`. When all were acknowledged, nobody waits for the statement:
 * it is sent together with the commit.
 */
export async function settleDeliveries(
  context: Pick<Context, "clock" | "ids" | "wake">,
  tx: Tx,
  results: readonly AttemptResult[],
): Promise<void> {
  const recorded = recordAttempts(tx, results.map(toRow));
  if (results.every((result) => result.failure === null)) {
    tx.later(recorded);
    return;
  }
  const disabled: NewEvent[] = [];
  for (const endpoint of await recorded) disabled.push(...(await act(context, tx, endpoint)));
  // The numbers of events are locked last.
  await emitEvents(context, tx, disabled);
}

function toRow(result: AttemptResult): ResultRow {
  const verdict = judgeDelivery(result, result.roundFailures, Math.random);
  if (verdict.kind === "delivered") return { ...result, state: "delivered", nextAttemptAt: null };
  const failed = { ...result, roundFailures: result.roundFailures + 1 };
  if (verdict.kind === "again") return { ...failed, state: "pending", nextAttemptAt: verdict.at };
  return { ...failed, state: "exhausted", nextAttemptAt: null };
}

/** Disables the endpoint or warns the admins, as its count requires. Gives the events of that. */
async function act(
  context: Pick<Context, "clock" | "ids">,
  tx: Tx,
  { workspaceId, endpointId, url, count, before }: FailureCount,
): Promise<readonly NewEvent[]> {
  const at = context.clock.now();
  const verdict = judgeEndpoint(before, count);
  if (verdict.disable) {
    const reason = `${DISABLE_AFTER} attempts failed in a row`;
    const disabled = await markDisabled(tx, workspaceId, endpointId, reason, at);
    if (!disabled) return [];
    await notifyAdmins(context, tx, workspaceId, {
      kind: "endpoint.disabled",
      subject: "A webhook endpoint was disabled",
      body: `${url} failed ${DISABLE_AFTER} times in a row and gets no more events. They are kept for 30 days: repair it and enable it again.`,
      dedupe: `endpoint:${endpointId}:disabled:${at.toISOString()}`,
    });
    return [disabledEvent(disabled, at)];
  }
  if (verdict.warnAt === null) return [];
  await notifyAdmins(context, tx, workspaceId, {
    kind: "endpoint.failing",
    subject: "A webhook endpoint is failing",
    body: `${url} failed ${verdict.warnAt} times in a row. After ${DISABLE_AFTER} it will be disabled.`,
    dedupe: `endpoint:${endpointId}:failing:${verdict.warnAt}:${at.toISOString()}`,
  });
  return [];
}
