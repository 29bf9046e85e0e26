import { sql, type Sql } from "../db/sql.ts";

/** The number of waiting deliveries, as rows `queue, state, n`. Those of a disabled endpoint are `held`. */
// They are counted per endpoint before the join. A disabled endpoint may hold a month of them, and each would be
// joined.
export const deliveryQueue: Sql = sql`
  select 'deliveries' as queue, case when e.disabled_at is null then 'pending' else 'held' end as state,
    sum(d.n)::bigint as n
  from (select workspace_id, endpoint_id, count(*) as n from delivery where state = 'pending' group by 1, 2) d
  join endpoint e on e.workspace_id = d.workspace_id and e.id = d.endpoint_id
  group by 2`;

/** The time at which the oldest due delivery of the enabled endpoints became due; null when none is due. */
export const oldestDelivery = (now: Date): Sql => sql`(select min(d.next_attempt_at) from endpoint e
  cross join lateral (select next_attempt_at from delivery
    where workspace_id = e.workspace_id and endpoint_id = e.id and state = 'pending'
    order by next_attempt_at limit 1) d
  where e.disabled_at is null and d.next_attempt_at <= ${now})`;

/** How many endpoints are disabled. */
export const disabledCount: Sql = sql`(select count(*) from endpoint where disabled_at is not null)`;
