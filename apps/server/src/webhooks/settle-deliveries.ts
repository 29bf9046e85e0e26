import type { Context } from "../context.ts";
import type { Tx } from "../db/database.ts";
import type { Settled } from "../lib/group-commit.ts";
import { notifyAdmins } from "../workspaces/notify-admins.ts";
import { DISABLE_AFTER, judgeDelivery, judgeEndpoint, type Attempt } from "./delivery-policy.ts";
import {
  countFailures,
  recordAttempts,
  type FailureCount,
  type ResultRow,
} from "./delivery-store.ts";
import { lockEndpoints, markDisabled } from "./endpoint-store.ts";

/** One attempt that was made. */
export interface AttemptResult extends Attempt {
  readonly workspaceId: string;
  readonly endpointId: string;
  readonly sequence: number;
  readonly number: number;
  readonly roundFailures: number;
  readonly durationMs: number;
  readonly answer: string | null;
}

/** The endpoint after the attempt. */
export interface EndpointState {
  readonly failures: number;
  readonly disabled: boolean;
}

/**
 * Records attempts that ended together, in one transaction (`groupCommit`): each delivery is acknowledged, put back
 * for its next try or given up; the endpoint's failures in a row are counted over deliveries; the twentieth disables
 * it, holds what waits and tells the admins once (contract §5, Webhook delivery).
 */
export async function settleDeliveries(
  context: Pick<Context, "clock" | "ids">,
  tx: Tx,
  results: readonly AttemptResult[],
): Promise<Settled<EndpointState>[]> {
  tx.later(lockEndpoints(tx, results));
  const counted = await recordAttempts(tx, results.map(toRow));
  const tallies = tally(results.filter((_, index) => counted.has(index)));
  const states = new Map<string, EndpointState>();
  if (tallies.size > 0) {
    const moved = await countFailures(tx, [...tallies.values()]);
    for (const endpoint of moved) {
      const change = tallies.get(keyOf(endpoint));
      const before = !change || change.reset ? 0 : endpoint.count - change.failures;
      states.set(keyOf(endpoint), {
        failures: endpoint.count,
        disabled: (await act(context, tx, endpoint, before)) || endpoint.disabled,
      });
    }
  }
  return results.map((result) => ({
    ok: true,
    value: states.get(keyOf(result)) ?? { failures: 0, disabled: false },
  }));
}

function keyOf(one: { readonly workspaceId: string; readonly endpointId: string }): string {
  return `${one.workspaceId} ${one.endpointId}`;
}

function toRow(result: AttemptResult): ResultRow {
  const verdict = judgeDelivery(result, result.roundFailures, Math.random);
  const { roundFailures: _, ...row } = result;
  if (verdict.kind === "again") return { ...row, state: "pending", nextAttemptAt: verdict.at };
  return { ...row, state: verdict.kind, nextAttemptAt: null };
}

interface Tally {
  readonly workspaceId: string;
  readonly endpointId: string;
  /** A 2xx was among them. */
  readonly reset: boolean;
  /** Failures after the last 2xx. */
  readonly failures: number;
}

/** What each endpoint's attempts, in the order they ended, do to its count; endpoints in the order rows are locked. */
function tally(results: readonly AttemptResult[]): Map<string, Tally> {
  const tallies = new Map<string, Tally>();
  for (const result of results) {
    const { workspaceId, endpointId } = result;
    const sofar = tallies.get(keyOf(result));
    tallies.set(
      keyOf(result),
      result.failure === null
        ? { workspaceId, endpointId, reset: true, failures: 0 }
        : {
            workspaceId,
            endpointId,
            reset: sofar?.reset ?? false,
            failures: (sofar?.failures ?? 0) + 1,
          },
    );
  }
  return new Map([...tallies].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Disables or warns as the count asks; true when this call disabled it. */
async function act(
  context: Pick<Context, "clock" | "ids">,
  tx: Tx,
  endpoint: FailureCount,
  before: number,
): Promise<boolean> {
  const { workspaceId, endpointId, url, count } = endpoint;
  const at = context.clock.now();
  const verdict = judgeEndpoint(before, count);
  if (verdict.disable) {
    const reason = `${DISABLE_AFTER} attempts failed in a row`;
    if (!(await markDisabled(tx, workspaceId, endpointId, reason, at))) return false;
    await notifyAdmins(context, tx, workspaceId, {
      kind: "endpoint.disabled",
      subject: "A webhook endpoint was disabled",
      body: `${url} failed ${DISABLE_AFTER} times in a row and gets no more events. They are kept for 30 days: repair it and enable it again.`,
      dedupe: `endpoint:${endpointId}:disabled:${at.toISOString()}`,
    });
    return true;
  }
  if (verdict.warnAt !== null) {
    await notifyAdmins(context, tx, workspaceId, {
      kind: "endpoint.failing",
      subject: "A webhook endpoint is failing",
      body: `${url} failed ${verdict.warnAt} times in a row. After ${DISABLE_AFTER} it will be disabled.`,
      dedupe: `endpoint:${endpointId}:failing:${verdict.warnAt}:${at.toISOString()}`,
    });
  }
  return false;
}
