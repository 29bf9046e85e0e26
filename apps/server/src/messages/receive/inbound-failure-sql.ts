import { sql, type Sql } from "../../db/sql.ts";

/**
 * Events and calls of platforms that could not be stored, as rows `queue, state, n`, at most `most` of a state.
 * `waiting`: tried again; `kept`: given up.
 */
export const failureQueue = (most: number): Sql => sql`
  select 'inbound' as queue, 'waiting' as state, (select count(*) from (
    select 1 from inbound_failure where retry_at is not null limit ${most}::int) x) as n
  union all select 'inbound', 'kept', (select count(*) from (
    select 1 from inbound_failure where retry_at is null limit ${most}::int) x)`;

/** Since when an event or call of a platform is due to be tried again; null: none is. */
export const oldestDueFailure = (now: Date): Sql =>
  sql`(select min(retry_at) from inbound_failure where retry_at <= ${now}::timestamptz)`;

/** How many events and calls of platforms were given up. */
export const keptFailures: Sql = sql`(select count(*) from inbound_failure where retry_at is null)`;
