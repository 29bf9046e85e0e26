import type { Queryable, Tx } from "../db/database.ts";
import { sql, type Sql } from "../db/sql.ts";

export const DELIVERY_STATES = ["pending", "delivered", "exhausted", "held"] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

export interface DeliveryRow {
  readonly sequence: number;
  readonly eventId: string;
  readonly type: string;
  readonly state: DeliveryState;
  readonly attempts: number;
  readonly nextAttemptAt: Date;
  readonly deliveredAt: Date | null;
  readonly createdAt: Date;
  readonly log: readonly {
    readonly number: number;
    readonly attemptedAt: string;
    readonly durationMs: number;
    readonly statusCode: number | null;
    /** dns, connect, tls, timeout, reset, blocked or status; null when acknowledged. */
    readonly failure: string | null;
    /** What the receiver answered, up to 4 KiB, or the words for why there was no answer. */
    readonly answer: string | null;
  }[];
}

const COLUMNS: Sql = sql`
  d.event_sequence as sequence, v.id as "eventId", v.type, d.state, d.attempts,
  d.next_attempt_at as "nextAttemptAt", d.delivered_at as "deliveredAt", d.created_at as "createdAt",
  (select coalesce(json_agg(json_build_object('number', a.number, 'attemptedAt', iso(a.attempted_at),
      'durationMs', a.duration_ms, 'statusCode', a.status_code, 'failure', a.failure, 'answer', a.answer)
      order by a.number), '[]')
    from delivery_attempt a where a.workspace_id = d.workspace_id and a.endpoint_id = d.endpoint_id
      and a.event_sequence = d.event_sequence) as log`;

/** Written out, because a partial index serves a prepared statement only by what stands in its text. */
const STATE_IS: Record<DeliveryState, Sql> = {
  pending: sql`d.state = 'pending'`,
  delivered: sql`d.state = 'delivered'`,
  exhausted: sql`d.state = 'exhausted'`,
  held: sql`d.state = 'held'`,
};

/** Newest first, from before a sequence on. */
export function selectDeliveries(
  db: Queryable,
  workspaceId: string,
  endpointId: string,
  filter: {
    readonly state: DeliveryState | null;
    readonly type: string | null;
    readonly before: number | null;
    readonly limit: number;
  },
): Promise<DeliveryRow[]> {
  return db.query<DeliveryRow>(sql`
    select ${COLUMNS} from delivery d
    join event v on v.workspace_id = d.workspace_id and v.sequence = d.event_sequence
    where d.workspace_id = ${workspaceId} and d.endpoint_id = ${endpointId}
      and ${filter.state === null ? sql`true` : STATE_IS[filter.state]}
      and (${filter.type}::text is null or v.type = ${filter.type}::text)
      and (${filter.before}::bigint is null or d.event_sequence < ${filter.before})
    order by d.event_sequence desc limit ${filter.limit}::int`);
}

/** One delivery with the bytes that were sent. */
export async function selectDelivery(
  db: Queryable,
  workspaceId: string,
  endpointId: string,
  eventId: string,
): Promise<(DeliveryRow & { readonly body: string }) | undefined> {
  const [row] = await db.query<DeliveryRow & { readonly body: string }>(sql`
    select ${COLUMNS}, v.body from event v
    join delivery d on d.workspace_id = v.workspace_id and d.endpoint_id = ${endpointId}
      and d.event_sequence = v.sequence
    where v.id = ${eventId} and v.workspace_id = ${workspaceId}`);
  return row;
}

const again = (now: Date): Sql =>
  sql`state = 'pending', next_attempt_at = ${now}, round_failures = 0, delivered_at = null`;

/** Puts one delivery, by its event's id, back in line, in a new round of retries; false when there is none. */
export async function requeueOne(
  tx: Tx,
  workspaceId: string,
  endpointId: string,
  eventId: string,
  now: Date,
): Promise<boolean> {
  const rows = await tx.query(sql`
    update delivery d set ${again(now)} where d.workspace_id = ${workspaceId} and d.endpoint_id = ${endpointId}
      and d.event_sequence in (select sequence from event where id = ${eventId} and workspace_id = ${workspaceId})
    returning 1`);
  return rows.length > 0;
}

/**
 * Puts a batch of what is done with, made between two times, back in line. Looks at `limit` deliveries after a
 * sequence; gives the last it looked at, null at the end, and how many are in line. None of a disabled endpoint.
 */
export async function requeueBatch(
  tx: Tx,
  workspaceId: string,
  endpointId: string,
  which: { readonly since: Date; readonly until: Date; readonly delivered: boolean },
  after: number,
  limit: number,
): Promise<{ readonly last: number | null; readonly count: number }> {
  const done = which.delivered
    ? sql`d.state in ('exhausted', 'held', 'delivered')`
    : sql`d.state in ('exhausted', 'held')`;
  const [row] = await tx.query<{ last: number | null; looked: number; count: number }>(sql`
    with looked as materialized (
      select d.event_sequence, d.created_at from delivery d
      where d.workspace_id = ${workspaceId} and d.endpoint_id = ${endpointId} and d.event_sequence > ${after}::bigint
        and ${done} and exists (select 1 from endpoint e where e.workspace_id = ${workspaceId}
          and e.id = ${endpointId} and e.disabled_at is null)
      order by d.event_sequence limit ${limit}::int
    ), moved as (
      update delivery d set ${again(which.until)} from looked k
      where d.workspace_id = ${workspaceId} and d.endpoint_id = ${endpointId} and d.event_sequence = k.event_sequence
        and k.created_at >= ${which.since} and k.created_at <= ${which.until}
      returning 1
    )
    select (select max(event_sequence) from looked) as last, (select count(*) from looked) as looked,
      (select count(*) from moved) as count`);
  const full = row !== undefined && row.looked === limit;
  return { last: full ? row.last : null, count: row?.count ?? 0 };
}
