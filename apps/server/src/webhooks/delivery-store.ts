import type { Queryable, Tx } from "../db/database.ts";
import { sql, type Sql } from "../db/sql.ts";
import { latestFor } from "../lib/clock.ts";
import { HOLDING_FAILURES, ENDPOINT_LEASE_MS, RESTS_MS } from "./delivery-policy.ts";
import { JITTER, RETRY_GAPS_MS } from "./retry-schedule.ts";

/** A leased endpoint. */
export interface LaneHead {
  readonly workspaceId: string;
  readonly endpointId: string;
  /** The whole address while it is not sealed yet, otherwise what may be shown of it. */
  readonly url: string;
  readonly urlSealed: Buffer | null;
  readonly secretSealed: Buffer;
  readonly oldSecretSealed: Buffer | null;
  readonly oldSecretUntil: Date | null;
  readonly failing: boolean;
}

/** One due delivery. `roundFailures` counts the failures in this round of the retry schedule. */
export interface DueRow {
  readonly endpointId: string;
  readonly sequence: number;
  readonly attempts: number;
  readonly roundFailures: number;
  readonly eventId: string;
  readonly body: string;
}

/** Only the first row of an endpoint holds the head, so that its secrets do not travel with every delivery. */
type LaneRow = DueRow & { readonly [K in keyof Omit<LaneHead, "endpointId">]: LaneHead[K] | null };

/**
 * Makes this transaction find deliveries only by their indexes. A prepared statement keeps its plan. One that was made
 * while the table was empty reads the whole table (120 ms a claim with 5,000 waiting) until the statistics are renewed.
 */
export async function byIndexAlone(tx: Tx): Promise<void> {
  await tx.query(sql`select set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true),
    set_config('enable_mergejoin', 'off', true), set_config('enable_bitmapscan', 'off', true),
    set_config('enable_sort', 'off', true), set_config('enable_incremental_sort', 'off', true),
    set_config('enable_material', 'off', true)`);
}

/**
 * Whether a delivery's failures belong to this round. Those from before the endpoint was enabled again do not count.
 */
const isOfThisRound = (delivery: Sql, enabledAt: Sql): Sql =>
  sql`(${enabledAt} is null or ${delivery}.attempted_at is null or ${delivery}.attempted_at >= ${enabledAt})`;

/**
 * True when no earlier event of its message holds the due delivery `d` back. It is a scalar subquery so that PostgreSQL
 * probes `delivery_order` for each row. A plain "not exists" might read every waiting delivery.
 */
const isFirstOfItsMessage = (
  endpoint: Sql,
): Sql => sql`(d.order_key is null or (select 1 from delivery p
  where p.workspace_id = d.workspace_id and p.endpoint_id = d.endpoint_id and p.order_key = d.order_key
    and p.state = 'pending' and p.event_sequence < d.event_sequence
    and (p.round_failures < ${HOLDING_FAILURES}::int
      or not ${isOfThisRound(sql`p`, sql`${endpoint}.enabled_at`)}) limit 1) is null)`;

const isFree = (now: Date): Sql => sql`e.disabled_at is null
  and (e.busy_until is null or e.busy_until <= ${now}::timestamptz)`;

/**
 * The endpoints with a due delivery that nobody holds. The query steps through the index of due deliveries from one
 * endpoint with a waiting delivery to the next. So a claim costs as much as there are such endpoints, and nothing for
 * the others. An endpoint's oldest delivery is the first in the index.
 */
const freeEndpoints = (now: Date): Sql => sql`
  waiting as (
    (select workspace_id, endpoint_id, next_attempt_at from delivery where state = 'pending'
      order by workspace_id, endpoint_id, next_attempt_at, event_sequence limit 1)
    union all
    select n.* from waiting w cross join lateral (
      select workspace_id, endpoint_id, next_attempt_at from delivery
      where state = 'pending' and (workspace_id, endpoint_id) > (w.workspace_id, w.endpoint_id)
      order by workspace_id, endpoint_id, next_attempt_at, event_sequence limit 1
    ) n
  ), free as materialized (
    select e.* from waiting w cross join lateral (
      select e.workspace_id, e.id, e.busy_until, e.consecutive_failures from endpoint e
      where e.workspace_id = w.workspace_id and e.id = w.endpoint_id and ${isFree(now)}
        and (select 1 from delivery d where d.workspace_id = e.workspace_id and d.endpoint_id = e.id
          and d.state = 'pending' and d.next_attempt_at <= ${now}::timestamptz and ${isFirstOfItsMessage(sql`e`)}
          order by d.next_attempt_at, d.event_sequence limit 1) is not null limit 1
    ) e
    where w.next_attempt_at <= ${now}::timestamptz
  )`;

/**
 * Locks up to `limit` free endpoints for which `which` is true. The others are not locked, because a lock is a write.
 */
const locked = (now: Date, which: Sql, limit: number): Sql => sql`
  select e.* from (
    select * from free e where ${which} order by e.busy_until nulls first limit ${limit}::int
  ) f cross join lateral (
    select e.workspace_id, e.id from endpoint e
    where e.workspace_id = f.workspace_id and e.id = f.id and ${which} and ${isFree(now)}
    limit 1 for update skip locked
  ) e`;

export interface LaneCapacity {
  /** How many healthy and how many failing endpoints to claim. They never take each other's places. */
  readonly well: number;
  readonly failing: number;
  /**
   * How many deliveries to claim of each endpoint. Endpoints in `fast` get the number there, and a failing one gets
   * one.
   */
  readonly batch: number;
  readonly fast: ReadonlyMap<string, number>;
}

/**
 * Leases endpoints that have due deliveries and that no other worker holds. Returns the oldest due deliveries of each.
 * An event waits behind an earlier one of its message until that one is acknowledged, given up, or has failed three
 * times.
 */
export async function claimLanes(
  db: Queryable,
  lease: { readonly now: Date; readonly until: Date; readonly by: string },
  want: LaneCapacity,
): Promise<{ readonly head: LaneHead; readonly due: readonly DueRow[] }[]> {
  const { now, until, by } = lease;
  const rows = await db.query<LaneRow>(sql`
    with recursive ${freeEndpoints(now)},
    well as (${locked(now, sql`e.consecutive_failures = 0`, want.well)}),
    ill as (${locked(now, sql`e.consecutive_failures > 0`, want.failing)}),
    claimed as (
      update endpoint e set busy_until = ${until}::timestamptz, busy_by = ${by}::uuid
      from (select * from well union all select * from ill) due
      where e.workspace_id = due.workspace_id and e.id = due.id returning e.*
    )
    select case when d.n = 1 then c.workspace_id end as "workspaceId", c.id as "endpointId",
      case when d.n = 1 then c.url end as url, case when d.n = 1 then c.url_sealed end as "urlSealed",
      case when d.n = 1 then c.secret_sealed end as "secretSealed",
      case when d.n = 1 then c.old_secret_sealed end as "oldSecretSealed",
      case when d.n = 1 then c.old_secret_until end as "oldSecretUntil",
      case when d.n = 1 then c.consecutive_failures > 0 end as failing, d.event_sequence as sequence, d.attempts,
      case when ${isOfThisRound(sql`d`, sql`c.enabled_at`)} then d.round_failures else 0 end as "roundFailures",
      v.id as "eventId", v.body
    from claimed c cross join lateral (
      select due.*, row_number() over () as n from (
        select * from delivery d where d.workspace_id = c.workspace_id and d.endpoint_id = c.id
          and d.state = 'pending' and d.next_attempt_at <= ${now}::timestamptz and ${isFirstOfItsMessage(sql`c`)}
        order by d.next_attempt_at, d.event_sequence
        limit case when c.consecutive_failures > 0 then 1 else coalesce((
          select f.size from unnest(${[...want.fast.keys()]}::uuid[], ${[...want.fast.values()]}::int[])
            as f (id, size) where f.id = c.id), ${want.batch}::int) end
      ) due
    ) d cross join lateral (
      select id, body from event where workspace_id = c.workspace_id and sequence = d.event_sequence limit 1
    ) v`);
  const lanes: { head: LaneHead; due: DueRow[] }[] = [];
  for (const due of Map.groupBy(rows, (row) => row.endpointId).values()) {
    const head = due.find((row) => row.workspaceId !== null);
    if (head) lanes.push({ head: headOf(head), due });
  }
  return lanes;
}

/**
 * Which of these leased endpoints were deleted or disabled since, or have another address or secret. Returns their ids.
 */
export async function selectChanged(
  db: Queryable,
  heads: readonly LaneHead[],
): Promise<ReadonlySet<string>> {
  const rows = await db.query<{ id: string }>(sql`
    select h.id from unnest(
      ${heads.map((head) => head.workspaceId)}::uuid[], ${heads.map((head) => head.endpointId)}::uuid[],
      ${heads.map((head) => head.urlSealed)}::bytea[], ${heads.map((head) => head.secretSealed)}::bytea[]
    ) as h (workspace_id, id, url_sealed, secret_sealed)
    where not exists (select 1 from endpoint e where e.workspace_id = h.workspace_id and e.id = h.id
      and e.disabled_at is null and e.secret_sealed = h.secret_sealed
      and e.url_sealed is not distinct from h.url_sealed)`);
  return new Set(rows.map((row) => row.id));
}

function headOf(row: LaneRow): LaneHead {
  const { workspaceId, url, secretSealed, failing } = row;
  if (workspaceId === null || url === null || secretSealed === null || failing === null)
    throw new Error("a claimed endpoint without its head");
  return { ...row, workspaceId, url, secretSealed, failing };
}

export interface Release {
  readonly workspaceId: string;
  readonly endpointId: string;
  readonly leaseUntil: Date;
  /** True when the lane met a failure. */
  readonly broken: boolean;
}

/**
 * Gives back the endpoints that this worker still holds. A failing endpoint rests first, longer with each failure in a
 * row (`RESTS_MS`).
 */
export async function releaseLanes(
  db: Queryable,
  lanes: readonly Release[],
  now: Date,
): Promise<void> {
  await db.query(sql`
    update endpoint e set busy_by = null, busy_until = case when r.broken or e.consecutive_failures > 0
      then ${now}::timestamptz + interval '1 ms' *
        (${RESTS_MS}::int[])[least(greatest(e.consecutive_failures, 1), ${RESTS_MS.length}::int)] end
    from unnest(
      ${lanes.map((lane) => lane.workspaceId)}::uuid[], ${lanes.map((lane) => lane.endpointId)}::uuid[],
      ${lanes.map((lane) => lane.leaseUntil)}::timestamptz[], ${lanes.map((lane) => lane.broken)}::boolean[]
    ) as r (workspace_id, id, lease, broken)
    where e.workspace_id = r.workspace_id and e.id = r.id and e.busy_until = r.lease`);
}

/** Gives back the endpoints of a process that is gone. Returns how many. */
export async function freeLanesOf(tx: Tx, processId: string): Promise<number> {
  const rows = await tx.query(sql`
    update endpoint set busy_until = null, busy_by = null where busy_by = ${processId}::uuid returning 1`);
  return rows.length;
}

/**
 * The longest possible wait of a delivery, by its failures in this round. An untried delivery waits at most as long as
 * an earlier event of its message.
 */
const WAITS_MS = [Math.max(...RETRY_GAPS_MS.slice(0, HOLDING_FAILURES - 1)), ...RETRY_GAPS_MS].map(
  (ms) => ms * (1 + JITTER),
);

/**
 * Repairs what a clock that was far ahead has written: makes such deliveries due now, and frees the endpoints that were
 * leased then. It goes from endpoint to endpoint through the index of due deliveries. Returns the number of deliveries.
 */
export async function forgetFutureDeliveries(tx: Tx, now: Date): Promise<number> {
  tx.later(byIndexAlone(tx));
  const latest = WAITS_MS.map((ms) => latestFor(now, ms));
  await tx.query(sql`update endpoint set busy_until = ${now}, busy_by = null
    where busy_until > ${latestFor(now, Math.max(ENDPOINT_LEASE_MS, ...RESTS_MS))}`);
  const rows = await tx.query(sql`
    with recursive waiting as (
      (select workspace_id, endpoint_id from delivery where state = 'pending'
        order by workspace_id, endpoint_id limit 1)
      union all
      select n.* from waiting w cross join lateral (
        select workspace_id, endpoint_id from delivery
        where state = 'pending' and (workspace_id, endpoint_id) > (w.workspace_id, w.endpoint_id)
        order by workspace_id, endpoint_id limit 1
      ) n
    ), late as (
      select l.* from waiting w cross join lateral (
        select workspace_id, endpoint_id, event_sequence from delivery
        where workspace_id = w.workspace_id and endpoint_id = w.endpoint_id and state = 'pending'
          and next_attempt_at > ${latest[0]}::timestamptz
          and next_attempt_at > (${latest}::timestamptz[])[round_failures + 1] limit 1000 for update skip locked
      ) l
    )
    update delivery d set next_attempt_at = ${now} from late l
    where d.workspace_id = l.workspace_id and d.endpoint_id = l.endpoint_id and d.event_sequence = l.event_sequence
    returning 1`);
  return rows.length;
}

/** Gives up all waiting deliveries. A person can send them again. Returns how many. */
export async function giveUpDeliveries(tx: Tx): Promise<number> {
  const rows = await tx.query(sql`update delivery set state = 'exhausted'
    where state = 'pending' returning 1`);
  return rows.length;
}
