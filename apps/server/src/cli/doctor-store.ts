import { QueryTimeout, type Db } from "../db/database.ts";
import { sql, type Sql } from "../db/sql.ts";

/** What stands still in the whole installation, for an operator. */
export interface Standing {
  /** Since when the reply that waits longest has waited to be called for; null: none waits. */
  readonly oldestReply: Date | null;
  /** Since when the webhook delivery that is due longest has been due, of the endpoints that are enabled. */
  readonly oldestDelivery: Date | null;
  readonly endpointsDisabled: number;
  readonly channelsInError: number;
  /** What platforms told and could not be taken in, given up by itself (`inbound_failure`). */
  readonly inboundKept: number;
}

const MOST_MS = 2_000;

/** Looks by index, workspace by workspace and endpoint by endpoint; null when that takes more than two seconds. */
export async function selectStanding(
  db: Pick<Db, "slowQuery">,
  now: Date,
): Promise<Standing | null> {
  try {
    const [found] = await db.slowQuery<Standing>(standingAt(now), MOST_MS);
    return found ?? null;
  } catch (error) {
    if (error instanceof QueryTimeout) return null;
    throw error;
  }
}

const standingAt = (now: Date): Sql =>
  sql`select
      (select min(m.created_at) from workspace w
        cross join lateral (select message_id from message_outbox
          where workspace_id = w.id and state = 'waiting' order by message_id limit 1) o
        join message m on m.workspace_id = w.id and m.id = o.message_id) as "oldestReply",
      (select min(d.next_attempt_at) from endpoint e
        cross join lateral (select next_attempt_at from delivery
          where workspace_id = e.workspace_id and endpoint_id = e.id and state = 'pending'
          order by next_attempt_at limit 1) d
        where e.disabled_at is null and d.next_attempt_at <= ${now}) as "oldestDelivery",
      (select count(*) from endpoint where disabled_at is not null) as "endpointsDisabled",
      (select count(*) from channel where status = 'error') as "channelsInError",
      (select count(*) from inbound_failure where retry_at is null) as "inboundKept"`;
