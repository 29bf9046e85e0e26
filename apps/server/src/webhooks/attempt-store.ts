import type { Tx } from "../db/database.ts";
import { sql } from "../db/sql.ts";
import { HOLDING_FAILURES } from "./delivery-policy.ts";

export interface ResultRow {
  readonly workspaceId: string;
  readonly endpointId: string;
  readonly sequence: number;
  /** The number of this attempt, 1 for the first. It is recorded only when it is the next number of its delivery. */
  readonly number: number;
  /** Failures in this round of the schedule, with this attempt. */
  readonly roundFailures: number;
  /** True for a failure that adds to the endpoint's failures in a row. */
  readonly counts: boolean;
  readonly attemptedAt: Date;
  readonly durationMs: number;
  readonly statusCode: number | null;
  readonly failure: string | null;
  readonly answer: string | null;
  readonly state: "pending" | "delivered" | "exhausted";
  readonly nextAttemptAt: Date | null;
}

/** An endpoint whose count of failures in a row has changed. */
export interface FailureCount {
  readonly workspaceId: string;
  readonly endpointId: string;
  readonly url: string;
  readonly count: number;
  readonly before: number;
}

/**
 * True when an attempt failed whose delivery began a new round of the schedule meanwhile, because somebody sends it
 * again. That round goes on as if the attempt had been made before it.
 */
const renewed = sql`(r.failure is not null and d.round_failures < r.round_failures - 1)`;

/**
 * Records attempts in the order in which they ended, in one statement however many there are. Returns the endpoints
 * whose count of failures in a row has changed, in the order of their ids.
 * - A delivery gets its new state and next try.
 * - A 2xx sets the endpoint's count to zero, and each later failure that counts adds one.
 * - An attempt whose number was already recorded changes nothing: its worker had lost the lease.
 * - Later events of the same message become due together with this one. They are due at once when this one is done or
 *   may no longer hold them back.
 *
 * `state not in (…)` is for the planner: with it, only the primary key can find the rows.
 */
export function recordAttempts(tx: Tx, rows: readonly ResultRow[]): Promise<FailureCount[]> {
  return tx.query<FailureCount>(sql`
    with result as (
      select * from unnest(
        ${rows.map((row) => row.workspaceId)}::uuid[], ${rows.map((row) => row.endpointId)}::uuid[],
        ${rows.map((row) => row.sequence)}::bigint[], ${rows.map((row) => row.number)}::smallint[],
        ${rows.map((row) => row.roundFailures)}::smallint[], ${rows.map((row) => row.attemptedAt)}::timestamptz[],
        ${rows.map((row) => row.durationMs)}::int[], ${rows.map((row) => row.statusCode)}::smallint[],
        ${rows.map((row) => row.failure)}::text[], ${rows.map((row) => row.counts)}::boolean[], ${rows.map((row) => row.answer)}::text[],
        ${rows.map((row) => row.state)}::text[], ${rows.map((row) => row.nextAttemptAt)}::timestamptz[]
      ) with ordinality as t (workspace_id, endpoint_id, sequence, number, round_failures, attempted_at, duration_ms,
        status_code, failure, counts, answer, state, next_attempt_at, n)
    ), moved as (
      update delivery d set attempts = r.number,
        round_failures = case when ${renewed} then d.round_failures else r.round_failures end,
        state = case when ${renewed} then d.state else r.state end,
        next_attempt_at = case when ${renewed} then d.next_attempt_at
          else coalesce(r.next_attempt_at, d.next_attempt_at) end, attempted_at = r.attempted_at,
        duration_ms = r.duration_ms, status_code = r.status_code,
        answer = case when r.failure is null then r.answer end
      from result r
      where d.workspace_id = r.workspace_id and d.endpoint_id = r.endpoint_id and d.event_sequence = r.sequence
        and d.attempts = r.number - 1 and d.state not in ('delivered', 'exhausted')
      returning r.workspace_id, r.endpoint_id, r.sequence, r.number, r.n, r.failure, r.counts, d.order_key,
        case when d.state = 'pending' and d.round_failures < ${HOLDING_FAILURES}::int then d.next_attempt_at end
          as holds_until, r.attempted_at
    ), behind as (
      update delivery s set next_attempt_at = coalesce(m.holds_until, m.attempted_at)
      from moved m
      where m.order_key is not null and (m.number > 1 or m.failure is not null)
        and s.workspace_id = m.workspace_id and s.endpoint_id = m.endpoint_id
        and s.order_key = m.order_key and s.state = 'pending' and s.event_sequence > m.sequence
        and case when m.holds_until is not null then s.next_attempt_at < m.holds_until
          else s.next_attempt_at > m.attempted_at and s.round_failures = 0 end
    ), logged as (
      insert into delivery_attempt (workspace_id, endpoint_id, event_sequence, number, attempted_at, duration_ms,
        status_code, failure, answer)
      select r.workspace_id, r.endpoint_id, r.sequence, r.number, r.attempted_at, r.duration_ms, r.status_code,
        r.failure, r.answer
      from moved m join result r using (n) where m.failure is not null
    ), tally as (
      select workspace_id, endpoint_id, bool_or(failure is null) as reset,
        count(*) filter (where n > last_good and counts)::int as failures
      from (select m.workspace_id, m.endpoint_id, m.failure, m.counts, m.n, coalesce(max(m.n) filter (where m.failure is null)
          over (partition by m.workspace_id, m.endpoint_id), 0) as last_good from moved m) m
      group by workspace_id, endpoint_id
    ), counted as (
      update endpoint e set consecutive_failures =
        case when t.reset then t.failures else e.consecutive_failures + t.failures end
      from tally t where e.workspace_id = t.workspace_id and e.id = t.endpoint_id
        and (t.failures > 0 or e.consecutive_failures > 0)
      returning e.workspace_id, e.id, e.url, e.consecutive_failures, t.reset, t.failures
    )
    select workspace_id as "workspaceId", id as "endpointId", url, consecutive_failures as count,
      case when reset then 0 else consecutive_failures - failures end as before
    from counted order by workspace_id, id`);
}
