import { join, sql, type Sql } from "../db/sql.ts";

/**
 * The number of waiting deliveries, as rows `queue, state, n`, at most `most` of a state. Those of a disabled endpoint
 * are `held`. A disabled endpoint may hold a month of them.
 */
export const deliveryQueue = (most: number): Sql => {
  const countOf = (state: Sql, which: Sql) => sql`
    select 'deliveries' as queue, ${state} as state, (select count(*) from (
      select 1 from endpoint e cross join lateral (
        select 1 from delivery where workspace_id = e.workspace_id and endpoint_id = e.id and state = 'pending'
        limit ${most}::int) d
      where ${which} limit ${most}::int) x) as n`;
  return join(
    [
      countOf(sql`'pending'`, sql`e.disabled_at is null`),
      countOf(sql`'held'`, sql`e.disabled_at is not null`),
    ],
    " union all ",
  );
};

/** The time at which the oldest due delivery of the enabled endpoints became due; null when none is due. */
export const oldestDelivery = (now: Date): Sql => sql`(select min(d.next_attempt_at) from endpoint e
  cross join lateral (select next_attempt_at from delivery
    where workspace_id = e.workspace_id and endpoint_id = e.id and state = 'pending'
    order by next_attempt_at limit 1) d
  where e.disabled_at is null and d.next_attempt_at <= ${now})`;

/**
 * Since when the delivery has been due that is due longest; null: none is. Only endpoints that acknowledged their last
 * delivery count: what waits for a receiver that fails is the receiver's fault.
 */
export const oldestDueDelivery = (
  now: Date,
): Sql => sql`(select min(d.next_attempt_at) from endpoint e
  cross join lateral (select next_attempt_at from delivery
    where workspace_id = e.workspace_id and endpoint_id = e.id and state = 'pending'
    order by next_attempt_at limit 1) d
  where e.disabled_at is null and e.consecutive_failures = 0 and d.next_attempt_at <= ${now}::timestamptz)`;

/** How many endpoints are disabled. */
export const disabledCount: Sql = sql`(select count(*) from endpoint where disabled_at is not null)`;
