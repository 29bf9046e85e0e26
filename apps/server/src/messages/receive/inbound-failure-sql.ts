import { sql, type Sql } from "../../db/sql.ts";

/**
 * Events and calls of platforms that could not be taken in, as rows `queue, state, n`. `waiting`: tried again; `kept`:
 * given up.
 */
export const failureQueue: Sql = sql`
  select 'inbound' as queue, case when retry_at is null then 'kept' else 'waiting' end as state, count(*) as n
  from inbound_failure group by 2`;

/** How many events and calls of platforms were given up. */
export const keptFailures: Sql = sql`(select count(*) from inbound_failure where retry_at is null)`;
