import type { Queryable } from "../../db/database.ts";
import { sql } from "../../db/sql.ts";
import type { BroadcastKey } from "./broadcast-store.ts";
import type { ChartStep, TimelineEntry } from "./broadcast-timeline.ts";

/** How many recipients reached each state in the minute, hour or day from `at` on. */
export interface ChartPoint {
  readonly at: Date;
  readonly sent: number;
  readonly delivered: number;
  readonly read: number;
  readonly failed: number;
}

/** The latest entries, oldest first. */
export function selectEntries(
  db: Queryable,
  key: BroadcastKey,
  limit: number,
): Promise<TimelineEntry[]> {
  return db.query<TimelineEntry>(sql`
    select created_at as at, kind, from_status as "from", to_status as "to", cause, actor, rate_from as "rateFrom",
      rate_to as "rateTo", until
    from (select * from broadcast_entry where workspace_id = ${key.workspaceId} and broadcast_id = ${key.id}
      order by id desc limit ${limit}) e order by id`);
}

/** The latest points, oldest first, of the zone's hours and days: one range of the key. */
export function selectChart(
  db: Queryable,
  key: BroadcastKey,
  step: ChartStep,
  timeZone: string,
  limit: number,
): Promise<ChartPoint[]> {
  return db.query<ChartPoint>(sql`
    select * from (
      select date_trunc(${step}, minute, ${timeZone}) as at, sum(sent)::bigint as sent, sum(delivered)::bigint as delivered,
        sum(read)::bigint as read, sum(failed)::bigint as failed
      from broadcast_minute where workspace_id = ${key.workspaceId} and broadcast_id = ${key.id}
      group by 1 order by 1 desc limit ${limit}) c order by at`);
}
