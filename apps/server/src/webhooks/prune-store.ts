import type { Tx } from "../db/database.ts";
import { sql } from "../db/sql.ts";

/**
 * Deletes up to `limit` events whose id is below `boundary`, with their deliveries and attempts. Returns how many. Ids
 * rise with time, so the index by id finds the old events. Each endpoint is looked up once for all of them. Once for
 * each event would be half a million look-ups for a thousand events and 500 endpoints (2,050,000 pages).
 */
export async function deleteEvents(db: Tx, boundary: string, limit: number): Promise<number> {
  const [row] = await db.query<{ n: number }>(sql`
    with old as (
      delete from event where (workspace_id, sequence) in
        (select workspace_id, sequence from event where id < ${boundary} order by id limit ${limit}::int)
      returning workspace_id, sequence
    ), gone as (
      select workspace_id, array_agg(sequence) as sequences from old group by workspace_id
    ), deliveries as (
      delete from delivery d using gone g join endpoint e on e.workspace_id = g.workspace_id
      where d.workspace_id = g.workspace_id and d.endpoint_id = e.id and d.event_sequence = any (g.sequences)
      returning d.workspace_id, d.endpoint_id, d.event_sequence
    ), attempts as (
      delete from delivery_attempt a using deliveries d
      where a.workspace_id = d.workspace_id and a.endpoint_id = d.endpoint_id
        and a.event_sequence = d.event_sequence
    )
    select count(*) as n from old`);
  return row?.n ?? 0;
}
