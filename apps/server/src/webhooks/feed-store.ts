import type { Queryable } from "../db/database.ts";
import { ifGiven, sql } from "../db/sql.ts";

export interface FeedRow {
  /** The last sequence that was given out; 0 before the first event. */
  readonly last: number;
  /** The oldest event that is kept, or null. */
  readonly oldest: number | null;
  /** The first and the last event that were looked at; null when there was none. */
  readonly first: number | null;
  readonly scanned: number | null;
  /** Null in the one row of an empty page. */
  readonly sequence: number | null;
  readonly type: string | null;
  readonly body: string | null;
}

/**
 * A page of events after a sequence, in order, with the ends of what is kept. It is one statement, so that pruning
 * cannot come between. Everything is found by the primary key. At most `window` events are looked at, whatever the
 * types.
 */
export function selectFeed(
  db: Queryable,
  workspaceId: string,
  want: {
    readonly after: number;
    readonly limit: number;
    /** Null: all. */
    readonly types: readonly string[] | null;
    readonly window: number;
  },
): Promise<FeedRow[]> {
  return db.query<FeedRow>(sql`
    with looked as materialized (
      select sequence, type from event where workspace_id = ${workspaceId} and sequence > ${want.after}::bigint
      order by sequence limit ${want.window}::int
    ), page as (
      select sequence from looked ${ifGiven(want.types, (given) => sql`where type = any (${given}::text[])`)}
      order by sequence limit ${want.limit}::int
    )
    select coalesce((select last from event_sequence where workspace_id = ${workspaceId}), 0) as last,
      (select sequence from event where workspace_id = ${workspaceId} order by sequence limit 1) as oldest,
      (select min(sequence) from looked) as first, (select max(sequence) from looked) as scanned, v.sequence, v.type, v.body
    from (values (1)) one (n) left join (
      select e.* from page p cross join lateral (select sequence, type, body from event
        where workspace_id = ${workspaceId} and sequence = p.sequence limit 1) e
    ) v on true
    order by v.sequence`);
}

/** The last sequence of each of these workspaces, in one statement for all open streams. */
export function selectLast(
  db: Queryable,
  workspaceIds: readonly string[],
): Promise<{ workspaceId: string; last: number }[]> {
  return db.query<{ workspaceId: string; last: number }>(sql`
    select workspace_id as "workspaceId", last from event_sequence
    where workspace_id = any (${workspaceIds}::uuid[])`);
}

/** The last event's number and the inbox's number of each workspace. */
export function selectHeads(
  db: Queryable,
  workspaceIds: readonly string[],
): Promise<{ readonly workspaceId: string; readonly last: number; readonly desk: number }[]> {
  return db.query(sql`select workspace_id as "workspaceId", last::float8 as last, desk::float8 as desk
    from event_sequence where workspace_id = any (${workspaceIds}::uuid[])`);
}
