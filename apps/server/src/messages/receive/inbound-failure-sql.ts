import { sql, type Sql } from "../../db/sql.ts";

/** What platforms told and could not be taken in, as rows `queue, state, n`: tried again (`waiting`) or given up (`kept`). */
export const failureQueue: Sql = sql`
  select 'inbound' as queue, case when retry_at is null then 'kept' else 'waiting' end as state, count(*) as n
  from inbound_failure group by 2`;

/** How much of it is given up. */
export const keptFailures: Sql = sql`(select count(*) from inbound_failure where retry_at is null)`;
