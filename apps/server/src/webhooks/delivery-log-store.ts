import type { Queryable, Tx } from "../db/database.ts";
import { ifGiven, sql, type Sql } from "../db/sql.ts";

export const DELIVERY_STATES = ["pending", "delivered", "exhausted", "held"] as const;
type DeliveryState = (typeof DELIVERY_STATES)[number];

export interface DeliveryRow {
  readonly sequence: number;
  readonly eventId: string;
  readonly type: string;
  readonly state: DeliveryState;
  readonly attempts: number;
  /** Null when there is no next try: delivered, exhausted or held. */
  readonly nextAttemptAt: Date | null;
  readonly deliveredAt: Date | null;
  readonly createdAt: Date;
  readonly log: readonly {
    readonly number: number;
    readonly attemptedAt: string;
    readonly durationMs: number;
    readonly statusCode: number | null;
    /** dns, connect, tls, timeout, reset, blocked or status; null when acknowledged. */
    readonly failure: string | null;
    /** The receiver's answer, up to 4 KiB, or the reason why there was none. */
    readonly answer: string | null;
  }[];
}

/**
 * The columns of a delivery. A pending delivery counts as held while its endpoint is disabled. The acknowledged attempt
 * is stored in the delivery itself, the failed ones in the log.
 */
const columns = (disabled: boolean): Sql => sql`
  d.event_sequence as sequence, v.id as "eventId", v.type,
  case when d.state = 'pending' and ${disabled}::boolean then 'held' else d.state end as state, d.attempts,
  case when d.state = 'pending' and not ${disabled}::boolean then d.next_attempt_at end as "nextAttemptAt",
  case when d.state = 'delivered' then d.attempted_at end as "deliveredAt",
  d.created_at as "createdAt",
  (select coalesce(json_agg(json_build_object('number', a.number, 'attemptedAt', iso(a.attempted_at),
      'durationMs', a.duration_ms, 'statusCode', a.status_code, 'failure', a.failure, 'answer', a.answer)
      order by a.number), '[]')
    from (
      select b.number, b.attempted_at, b.duration_ms, b.status_code, b.failure, b.answer from delivery_attempt b
      where b.workspace_id = d.workspace_id and b.endpoint_id = d.endpoint_id and b.event_sequence = d.event_sequence
      union all
      select d.attempts, d.attempted_at, d.duration_ms, d.status_code, null, d.answer where d.state = 'delivered'
    ) a) as log`;

/**
 * The conditions are written out: PostgreSQL uses a partial index for a prepared statement only when the condition
 * stands in its text.
 */
const STATE_IS: Record<DeliveryState, (disabled: boolean) => Sql> = {
  pending: (disabled) => (disabled ? sql`false` : sql`d.state = 'pending'`),
  delivered: () => sql`d.state = 'delivered'`,
  exhausted: () => sql`d.state = 'exhausted'`,
  held: (disabled) => (disabled ? sql`d.state = 'pending'` : sql`false`),
};

export interface DeliveryLogFilter {
  readonly state: DeliveryState | null;
  readonly type: string | null;
  readonly before: number | null;
}

/**
 * Deliveries of an endpoint before a sequence, newest first. It filters by the states that have an index; the caller
 * filters the rest.
 */
function looked(
  workspaceId: string,
  endpoint: { readonly id: string; readonly disabled: boolean },
  { state, before }: DeliveryLogFilter,
): Sql {
  // Pending deliveries are usually few among many. Without "offset 0" the planner would search for them through all
  // deliveries, from the newest on.
  const rows =
    state === "pending"
      ? sql`(select * from delivery where workspace_id = ${workspaceId} and endpoint_id = ${endpoint.id}
          and state = 'pending' offset 0)`
      : sql`delivery`;
  return sql`${rows} d where d.workspace_id = ${workspaceId} and d.endpoint_id = ${endpoint.id}
      and ${state === null || state === "delivered" ? sql`true` : STATE_IS[state](endpoint.disabled)}
      and d.event_sequence < ${before ?? Number.MAX_SAFE_INTEGER}::bigint
    order by d.event_sequence desc`;
}

/**
 * A page of deliveries before a sequence, newest first. No index covers the kind of an event or the delivered state, so
 * only `window` deliveries are looked at (300,000 took five seconds).
 */
export function selectDeliveries(
  db: Queryable,
  workspaceId: string,
  endpoint: { readonly id: string; readonly disabled: boolean },
  filter: DeliveryLogFilter & { readonly limit: number },
  window: number,
): Promise<DeliveryRow[]> {
  return db.query<DeliveryRow>(sql`
    select ${columns(endpoint.disabled)} from (
      select d.* from ${looked(workspaceId, endpoint, filter)} limit ${window}::int) d
    cross join lateral (select id, type from event
      where workspace_id = d.workspace_id and sequence = d.event_sequence limit 1) v
    where ${filter.state === "delivered" ? sql`d.state = 'delivered'` : sql`true`}
      ${ifGiven(filter.type, (given) => sql`and v.type = ${given}`)}
    order by d.event_sequence desc limit ${filter.limit}::int`);
}

/** The sequence of the last delivery in such a window; null when the window reaches the end. */
export async function selectDeliveryWindowEnd(
  db: Queryable,
  workspaceId: string,
  endpoint: { readonly id: string; readonly disabled: boolean },
  filter: DeliveryLogFilter,
  window: number,
): Promise<number | null> {
  const [last] = await db.query<{ sequence: number }>(sql`
    select d.event_sequence as sequence from ${looked(workspaceId, endpoint, filter)}
    offset ${window - 1}::int limit 1`);
  return last?.sequence ?? null;
}

/**
 * An event of the workspace by its id. "offset 0" keeps the planner from reading a second index beside that of the id.
 */
const eventById = (workspaceId: string, eventId: string): Sql => sql`
  (select * from (select * from event where id = ${eventId} offset 0) any_event where workspace_id = ${workspaceId})`;

/** One delivery with the bytes that were sent. */
export async function selectDelivery(
  db: Queryable,
  workspaceId: string,
  endpoint: { readonly id: string; readonly disabled: boolean },
  eventId: string,
): Promise<(DeliveryRow & { readonly body: string }) | undefined> {
  const [row] = await db.query<DeliveryRow & { readonly body: string }>(sql`
    select ${columns(endpoint.disabled)}, v.body from ${eventById(workspaceId, eventId)} v
    cross join lateral (select * from delivery where workspace_id = v.workspace_id
      and endpoint_id = ${endpoint.id} and event_sequence = v.sequence limit 1) d`);
  return row;
}

/**
 * Puts the rows of `chosen`, whole deliveries as they are under its lock, back in the queue for a new round of retries.
 * The acknowledged attempts of delivered ones move to the log. It must not read them again: the statement sees a delivery
 * that was settled while it waited for the lock as it was before.
 */
const againWith = (now: Date): Sql => sql`kept as (
      insert into delivery_attempt (workspace_id, endpoint_id, event_sequence, number, attempted_at, duration_ms,
        status_code, answer)
      select d.workspace_id, d.endpoint_id, d.event_sequence, d.attempts, d.attempted_at, d.duration_ms,
        d.status_code, d.answer
      from chosen d
      where d.state = 'delivered' and d.attempted_at is not null
      on conflict do nothing
    ), moved as (
      update delivery d set state = 'pending', next_attempt_at = ${now}, round_failures = 0
      from chosen k where d.workspace_id = k.workspace_id and d.endpoint_id = k.endpoint_id
        and d.event_sequence = k.event_sequence
      returning 1
    )`;

/** Puts the delivery of one event back in the queue for a new round of retries. False when there is none. */
export async function requeueOne(
  db: Queryable,
  workspaceId: string,
  endpointId: string,
  eventId: string,
  now: Date,
): Promise<boolean> {
  const rows = await db.query(sql`
    with chosen as (
      select d.* from ${eventById(workspaceId, eventId)} v cross join lateral (
        select * from delivery where workspace_id = v.workspace_id
          and endpoint_id = ${endpointId} and event_sequence = v.sequence limit 1 for update
      ) d
    ), ${againWith(now)}
    select from moved`);
  return rows.length > 0;
}

/**
 * The first sequence of a workspace whose event is not older than `at`, or a sequence at most `within` before it. It is
 * found by halving, because the numbers rise with time.
 */
export async function firstSequenceSince(
  db: Queryable,
  workspaceId: string,
  at: Date,
  within: number,
): Promise<number> {
  const [row] = await db.query<{ sequence: number }>(sql`
    with recursive span (low, high) as (
      select coalesce((select sequence from event where workspace_id = ${workspaceId} order by sequence limit 1), 1),
        coalesce((select last from event_sequence where workspace_id = ${workspaceId}), 0) + 1
      union all
      select case when older then middle + 1 else low end, case when older then high else middle end
      from span cross join lateral (select (low + high) / 2 as middle) m
      cross join lateral (select coalesce((select created_at < ${at}::timestamptz from event
        where workspace_id = ${workspaceId} and sequence = middle), false) as older) e
      where high - low > ${within}::int
    )
    select low as sequence from span where high - low <= ${within}::int limit 1`);
  return row?.sequence ?? 1;
}

/** What one batch put back in the queue. `last` is the place to go on from, null at the end. */
export interface RequeuedBatch<Place> {
  readonly last: Place | null;
  readonly count: number;
}

/**
 * Puts a batch of finished deliveries back in the queue. It looks at `limit` finished deliveries after a sequence, and
 * takes those that were made between `since` and `until`; only these are locked. Returns the last one that it looked at
 * (null at the end), and how many are back in the queue. A disabled endpoint gets none back.
 */
export async function requeueBatch(
  tx: Tx,
  workspaceId: string,
  endpointId: string,
  which: { readonly since: Date; readonly until: Date; readonly delivered: boolean },
  after: number,
  limit: number,
): Promise<RequeuedBatch<number>> {
  const done = which.delivered
    ? sql`d.state in ('exhausted', 'delivered')`
    : sql`d.state = 'exhausted'`;
  const [row] = await tx.query<{ last: number | null; looked: number; count: number }>(sql`
    with looked as materialized (
      select d.event_sequence, d.created_at from delivery d
      where d.workspace_id = ${workspaceId} and d.endpoint_id = ${endpointId} and d.event_sequence > ${after}::bigint
        and ${done} and exists (select 1 from endpoint e where e.workspace_id = ${workspaceId}
          and e.id = ${endpointId} and e.disabled_at is null)
      order by d.event_sequence limit ${limit}::int
    ), chosen as materialized (
      select d.* from (select event_sequence from looked
        where created_at >= ${which.since} and created_at <= ${which.until} order by event_sequence) l
      cross join lateral (select * from delivery d
        where d.workspace_id = ${workspaceId} and d.endpoint_id = ${endpointId}
          and d.event_sequence = l.event_sequence and ${done} limit 1 for update) d
    ), ${againWith(which.until)}
    select (select max(event_sequence) from looked) as last, (select count(*) from looked) as looked,
      (select count(*) from moved) as count`);
  const full = row !== undefined && row.looked === limit;
  return { last: full ? row.last : null, count: row?.count ?? 0 };
}

/** A delivery's place among those that wait for their next try. `at` is exact: a Date would lose microseconds. */
export interface WaitingPlace {
  readonly at: string;
  readonly sequence: number;
}

/**
 * The same for a batch of deliveries that failed and wait for a later try: makes them due at `until`. Those that are due
 * already are in the queue, and stay as they are.
 */
export async function requeueWaiting(
  tx: Tx,
  workspaceId: string,
  endpointId: string,
  which: { readonly since: Date; readonly until: Date },
  after: WaitingPlace,
  limit: number,
): Promise<RequeuedBatch<WaitingPlace>> {
  const waits = sql`d.state = 'pending' and d.next_attempt_at > ${which.until}::timestamptz`;
  const [row] = await tx.query<
    WaitingPlace & { readonly looked: number; readonly count: number }
  >(sql`
    with looked as materialized (
      select d.event_sequence, d.next_attempt_at, d.created_at from delivery d
      where d.workspace_id = ${workspaceId} and d.endpoint_id = ${endpointId} and ${waits}
        and (d.next_attempt_at, d.event_sequence) > (${after.at}::timestamptz, ${after.sequence}::bigint)
        and exists (select 1 from endpoint e where e.workspace_id = ${workspaceId}
          and e.id = ${endpointId} and e.disabled_at is null)
      order by d.next_attempt_at, d.event_sequence limit ${limit}::int
    ), chosen as materialized (
      select d.* from (select event_sequence from looked
        where created_at >= ${which.since} and created_at <= ${which.until} order by event_sequence) l
      cross join lateral (select * from delivery d
        where d.workspace_id = ${workspaceId} and d.endpoint_id = ${endpointId}
          and d.event_sequence = l.event_sequence and ${waits} limit 1 for update) d
    ), ${againWith(which.until)}, last as (
      select next_attempt_at, event_sequence from looked order by next_attempt_at desc, event_sequence desc limit 1
    )
    select (select next_attempt_at::text from last) as at, (select event_sequence from last) as sequence,
      (select count(*) from looked) as looked, (select count(*) from moved) as count`);
  if (!row) return { last: null, count: 0 };
  const { at, sequence, looked, count } = row;
  return { last: looked === limit ? { at, sequence } : null, count };
}
