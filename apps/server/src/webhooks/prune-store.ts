import type { Tx } from "../db/database.ts";
import { sql, type Sql } from "../db/sql.ts";

/**
 * Deletes up to `limit` events whose id is below `boundary`, with their deliveries and attempts. Returns how many. Ids
 * rise with time, so the index by id finds the old events. Each endpoint is looked up once for all of them. Once for
 * each event would be half a million look-ups for a thousand events and 500 endpoints (2,050,000 pages).
 */
export function deleteEvents(db: Tx, boundary: string, limit: number): Promise<number> {
  return deleteFound(
    db,
    sql`select workspace_id, sequence from event where id < ${boundary} order by id limit ${limit}::int`,
  );
}

/** The same for one workspace, whose events are read in the order of their numbers. */
export function deleteEventsOf(
  db: Tx,
  workspaceId: string,
  boundary: string,
  limit: number,
): Promise<number> {
  // The first ones are the oldest: one that is young enough ends the look.
  return deleteFound(
    db,
    sql`select workspace_id, sequence from (select workspace_id, sequence, id from event
      where workspace_id = ${workspaceId} order by sequence limit ${limit}::int) e where e.id < ${boundary}`,
  );
}

async function deleteFound(db: Tx, found: Sql): Promise<number> {
  const [row] = await db.query<{ n: number }>(sql`
    with old as (
      delete from event where (workspace_id, sequence) in (${found})
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

/** A deleted endpoint whose deliveries may still be there, the one that was deleted first. */
export async function selectDeletedEndpoint(
  db: Tx,
): Promise<
  | { readonly workspaceId: string; readonly endpointId: string; readonly deletedAt: Date }
  | undefined
> {
  const [row] = await db.query<{
    readonly workspaceId: string;
    readonly endpointId: string;
    readonly deletedAt: Date;
  }>(sql`
    select workspace_id as "workspaceId", endpoint_id as "endpointId", deleted_at as "deletedAt"
    from deleted_endpoint order by swept_at nulls first, deleted_at limit 1 for update skip locked`);
  return row;
}

/** Deletes up to `limit` deliveries of a deleted endpoint, with their attempts. Returns how many. */
export async function deleteLeftDeliveries(
  db: Tx,
  workspaceId: string,
  endpointId: string,
  limit: number,
): Promise<number> {
  const [row] = await db.query<{ n: number }>(sql`
    with left_over as (
      delete from delivery where (workspace_id, endpoint_id, event_sequence) in
        (select workspace_id, endpoint_id, event_sequence from delivery
          where workspace_id = ${workspaceId} and endpoint_id = ${endpointId}
          order by event_sequence limit ${limit}::int)
      returning workspace_id, endpoint_id, event_sequence
    ), attempts as (
      delete from delivery_attempt a using left_over l
      where a.workspace_id = l.workspace_id and a.endpoint_id = l.endpoint_id
        and a.event_sequence = l.event_sequence
    )
    select count(*) as n from left_over`);
  return row?.n ?? 0;
}

/** Forgets a deleted endpoint, or notes that it was swept and may be left a last delivery. */
export async function writeSwept(
  db: Tx,
  workspaceId: string,
  endpointId: string,
  sweptAt: Date | null,
): Promise<void> {
  await db.query(
    sweptAt === null
      ? sql`delete from deleted_endpoint where workspace_id = ${workspaceId} and endpoint_id = ${endpointId}`
      : sql`update deleted_endpoint set swept_at = ${sweptAt}
          where workspace_id = ${workspaceId} and endpoint_id = ${endpointId}`,
  );
}
