import type { Queryable } from "../db/database.ts";
import { sql } from "../db/sql.ts";

/** One event that names a record, and the state of its delivery to one endpoint; null where no endpoint takes it. */
export interface TracedRow {
  readonly sequence: number;
  readonly eventId: string;
  readonly type: string;
  readonly at: Date;
  readonly endpointId: string | null;
  readonly state: string | null;
  readonly attempts: number | null;
  readonly attemptedAt: Date | null;
  readonly statusCode: number | null;
  readonly failure: string | null;
}

/** Looks at the events from a sequence on, at most `window`, and gives those whose body holds the id, with their deliveries. */
export async function selectTraced(
  db: Queryable,
  workspaceId: string,
  look: { readonly from: number; readonly window: number; readonly id: string },
): Promise<{ readonly last: number | null; readonly rows: TracedRow[] }> {
  const rows = await db.query<TracedRow & { last: number | null; sequence: number | null }>(sql`
    with looked as materialized (
      select sequence, id, type, body, created_at from event
      where workspace_id = ${workspaceId} and sequence >= ${look.from}::bigint
      order by sequence limit ${look.window}::int
    )
    select (select max(sequence) from looked) as last, l.sequence, l.id as "eventId", l.type, l.created_at as at,
      d.endpoint_id as "endpointId", d.state, d.attempts,
      coalesce(a.attempted_at, d.attempted_at) as "attemptedAt",
      coalesce(a.status_code, d.status_code) as "statusCode", a.failure
    from (values (1)) one (n)
    left join looked l on position(${look.id} in l.body) > 0
    left join endpoint e on e.workspace_id = ${workspaceId} and l.sequence is not null
    left join delivery d on d.workspace_id = ${workspaceId} and d.endpoint_id = e.id and d.event_sequence = l.sequence
    left join lateral (
      select attempted_at, status_code, failure from delivery_attempt
      where workspace_id = d.workspace_id and endpoint_id = d.endpoint_id and event_sequence = d.event_sequence
        and d.state <> 'delivered'
      order by number desc limit 1
    ) a on true
    order by l.sequence, d.endpoint_id`);
  return { last: rows[0]?.last ?? null, rows: rows.filter(({ sequence }) => sequence !== null) };
}
