import type { Queryable, Tx } from "../db/database.ts";
import { sql, type Sql } from "../db/sql.ts";

/** A claimed endpoint with what is to be sent to it now. */
export interface LaneRow {
  readonly workspaceId: string;
  readonly endpointId: string;
  readonly url: string;
  readonly secretSealed: Buffer;
  readonly oldSecretSealed: Buffer | null;
  readonly oldSecretUntil: Date | null;
  readonly failing: boolean;
  readonly sequence: number;
  readonly attempts: number;
  readonly roundFailures: number;
  readonly eventId: string;
  readonly body: string;
}

/**
 * Of a due delivery `d`: no earlier event of the same message waits for the same endpoint. A scalar subquery on
 * purpose: it probes `delivery_order` for each row, where a plain "not exists" may read all that waits.
 */
const isFirstOfItsMessage: Sql = sql`(d.order_key is null or (select 1 from delivery p
  where p.workspace_id = d.workspace_id and p.endpoint_id = d.endpoint_id and p.order_key = d.order_key
    and p.state = 'pending' and p.event_sequence < d.event_sequence limit 1) is null)`;

/**
 * Leases up to `lanes` endpoints that have due deliveries, none of which another worker holds, and gives each one's
 * oldest due deliveries: `batch` of them, or one alone while the endpoint fails. One row per delivery. An event waits
 * behind an earlier one of its message until that is acknowledged or given up.
 */
export function claimLanes(
  db: Queryable,
  now: Date,
  leaseUntil: Date,
  lanes: number,
  batch: number,
): Promise<LaneRow[]> {
  return db.query<LaneRow>(sql`
    with due as (
      select e.workspace_id, e.id from endpoint e
      where e.disabled_at is null and (e.busy_until is null or e.busy_until <= ${now}::timestamptz)
        and exists (select 1 from delivery d where d.workspace_id = e.workspace_id and d.endpoint_id = e.id
          and d.state = 'pending' and d.next_attempt_at <= ${now}::timestamptz and ${isFirstOfItsMessage})
      order by e.busy_until nulls first
      limit ${lanes}::int for update skip locked
    ), claimed as (
      update endpoint e set busy_until = ${leaseUntil}::timestamptz from due
      where e.workspace_id = due.workspace_id and e.id = due.id returning e.*
    )
    select c.workspace_id as "workspaceId", c.id as "endpointId", c.url, c.secret_sealed as "secretSealed",
      c.old_secret_sealed as "oldSecretSealed", c.old_secret_until as "oldSecretUntil",
      c.consecutive_failures > 0 as failing, d.event_sequence as sequence, d.attempts,
      d.round_failures as "roundFailures", v.id as "eventId", v.body
    from claimed c cross join lateral (
      select * from delivery d where d.workspace_id = c.workspace_id and d.endpoint_id = c.id
        and d.state = 'pending' and d.next_attempt_at <= ${now}::timestamptz and ${isFirstOfItsMessage}
      order by d.next_attempt_at, d.event_sequence
      limit case when c.consecutive_failures > 0 then 1 else ${batch}::int end
    ) d join event v on v.workspace_id = c.workspace_id and v.sequence = d.event_sequence`);
}

/** Gives endpoints back, or lets them rest until a time; only those this worker still holds. */
export async function releaseLanes(
  db: Queryable,
  lanes: readonly {
    readonly workspaceId: string;
    readonly endpointId: string;
    readonly leaseUntil: Date;
    readonly restUntil: Date | null;
  }[],
): Promise<void> {
  await db.query(sql`
    update endpoint e set busy_until = r.rest from unnest(
      ${lanes.map((lane) => lane.workspaceId)}::uuid[], ${lanes.map((lane) => lane.endpointId)}::uuid[],
      ${lanes.map((lane) => lane.leaseUntil)}::timestamptz[], ${lanes.map((lane) => lane.restUntil)}::timestamptz[]
    ) as r (workspace_id, id, lease, rest)
    where e.workspace_id = r.workspace_id and e.id = r.id and e.busy_until = r.lease`);
}

export interface ResultRow {
  readonly workspaceId: string;
  readonly endpointId: string;
  readonly sequence: number;
  /** The number of this attempt: 1 for the first. Only the next number is recorded. */
  readonly number: number;
  readonly attemptedAt: Date;
  readonly durationMs: number;
  readonly statusCode: number | null;
  readonly failure: string | null;
  readonly answer: string | null;
  readonly state: "pending" | "delivered" | "exhausted";
  readonly nextAttemptAt: Date | null;
}

/**
 * Records attempts and moves their deliveries; gives the positions in `rows` that counted. One whose number was
 * recorded already (its worker had lost the lease) changes nothing. A delivery that was held meanwhile stays held
 * unless it got through. Later events of the same message are due when this one is, and at once when it is done.
 */
export async function recordAttempts(tx: Tx, rows: readonly ResultRow[]): Promise<Set<number>> {
  const moved = await tx.query<{ n: number }>(sql`
    with result as (
      select * from unnest(
        ${rows.map((row) => row.workspaceId)}::uuid[], ${rows.map((row) => row.endpointId)}::uuid[],
        ${rows.map((row) => row.sequence)}::bigint[], ${rows.map((row) => row.number)}::smallint[],
        ${rows.map((row) => row.attemptedAt)}::timestamptz[], ${rows.map((row) => row.durationMs)}::int[],
        ${rows.map((row) => row.statusCode)}::smallint[], ${rows.map((row) => row.failure)}::text[],
        ${rows.map((row) => row.answer)}::text[], ${rows.map((row) => row.state)}::text[],
        ${rows.map((row) => row.nextAttemptAt)}::timestamptz[]
      ) with ordinality as t (workspace_id, endpoint_id, sequence, number, attempted_at, duration_ms, status_code,
        failure, answer, state, next_attempt_at, n)
    ), moved as (
      update delivery d set attempts = r.number,
        round_failures = d.round_failures + case when r.state = 'delivered' then 0 else 1 end,
        state = case when d.state = 'held' and r.state = 'pending' then 'held' else r.state end,
        next_attempt_at = coalesce(r.next_attempt_at, d.next_attempt_at),
        delivered_at = case when r.state = 'delivered' then r.attempted_at end
      from result r
      where d.workspace_id = r.workspace_id and d.endpoint_id = r.endpoint_id and d.event_sequence = r.sequence
        and d.attempts = r.number - 1 and d.state in ('pending', 'held')
      returning r.*, d.order_key
    ), behind as (
      update delivery s set next_attempt_at = case when m.state = 'pending' then m.next_attempt_at else m.attempted_at end
      from moved m
      where m.order_key is not null and s.workspace_id = m.workspace_id and s.endpoint_id = m.endpoint_id
        and s.order_key = m.order_key and s.state = 'pending' and s.event_sequence > m.sequence
        and case when m.state = 'pending' then s.next_attempt_at < m.next_attempt_at
          else s.next_attempt_at > m.attempted_at and s.round_failures = 0 end
    ), logged as (
      insert into delivery_attempt (workspace_id, endpoint_id, event_sequence, number, attempted_at, duration_ms,
        status_code, failure, answer)
      select workspace_id, endpoint_id, sequence, number, attempted_at, duration_ms, status_code, failure, answer
      from moved
    )
    select n from moved`);
  return new Set(moved.map((row) => row.n - 1));
}

export interface FailureCount {
  readonly workspaceId: string;
  readonly endpointId: string;
  readonly url: string;
  readonly count: number;
  readonly disabled: boolean;
}

/** Moves the counts of failures in a row: `reset` sets to `failures`, else it adds. Gives the endpoints that moved. */
export function countFailures(
  tx: Tx,
  changes: readonly {
    readonly workspaceId: string;
    readonly endpointId: string;
    readonly reset: boolean;
    readonly failures: number;
  }[],
): Promise<FailureCount[]> {
  return tx.query<FailureCount>(sql`
    update endpoint e
    set consecutive_failures = case when c.reset then c.failures else e.consecutive_failures + c.failures end
    from unnest(
      ${changes.map((one) => one.workspaceId)}::uuid[], ${changes.map((one) => one.endpointId)}::uuid[],
      ${changes.map((one) => one.reset)}::boolean[], ${changes.map((one) => one.failures)}::int[]
    ) as c (workspace_id, id, reset, failures)
    where e.workspace_id = c.workspace_id and e.id = c.id and (c.failures > 0 or e.consecutive_failures > 0)
    returning e.workspace_id as "workspaceId", e.id as "endpointId", e.url, e.consecutive_failures as count,
      e.disabled_at is not null as disabled`);
}

/**
 * Deletes up to `limit` events older than the one with this boundary id would be, with their deliveries and attempts;
 * gives how many. Ids rise with time, so the index by id finds the old ones.
 */
export async function deleteEvents(
  db: Queryable,
  boundary: string,
  limit: number,
): Promise<number> {
  const [row] = await db.query<{ n: number }>(sql`
    with old as (
      delete from event where (workspace_id, sequence) in
        (select workspace_id, sequence from event where id < ${boundary} order by id limit ${limit}::int)
      returning workspace_id, sequence
    ), deliveries as (
      delete from delivery d using old join endpoint e on e.workspace_id = old.workspace_id
      where d.workspace_id = old.workspace_id and d.endpoint_id = e.id and d.event_sequence = old.sequence
      returning d.workspace_id, d.endpoint_id, d.event_sequence
    ), attempts as (
      delete from delivery_attempt a using deliveries d
      where a.workspace_id = d.workspace_id and a.endpoint_id = d.endpoint_id
        and a.event_sequence = d.event_sequence
    )
    select count(*) as n from old`);
  return row?.n ?? 0;
}
