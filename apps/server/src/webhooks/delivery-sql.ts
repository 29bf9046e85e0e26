import { sql, type Sql } from "../db/sql.ts";

/** The deliveries that wait, as rows `queue, state, n`; those of a disabled endpoint are `held`. */
// Counted by endpoint before it is asked for: a disabled one holds a month's, and each was joined to it.
export const deliveryQueue: Sql = sql`
  select 'deliveries' as queue, case when e.disabled_at is null then 'pending' else 'held' end as state,
    sum(d.n)::bigint as n
  from (select workspace_id, endpoint_id, count(*) as n from delivery where state = 'pending' group by 1, 2) d
  join endpoint e on e.workspace_id = d.workspace_id and e.id = d.endpoint_id
  group by 2`;

/** Since when the delivery that is due longest has been due, of the endpoints that are enabled; null: none is due. */
export const oldestDelivery = (now: Date): Sql => sql`(select min(d.next_attempt_at) from endpoint e
  cross join lateral (select next_attempt_at from delivery
    where workspace_id = e.workspace_id and endpoint_id = e.id and state = 'pending'
    order by next_attempt_at limit 1) d
  where e.disabled_at is null and d.next_attempt_at <= ${now})`;

/** How many endpoints are disabled. */
export const disabledCount: Sql = sql`(select count(*) from endpoint where disabled_at is not null)`;
