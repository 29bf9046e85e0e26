import { QueryTimeout, type Db, type Queryable } from "../db/database.ts";
import { sql, type Sql } from "../db/sql.ts";
import { troubledCount } from "../channels/channel-sql.ts";
import { keptFailures } from "../messages/receive/inbound-failure-sql.ts";
import { oldestReply } from "../messages/send/outbox-sql.ts";
import { disabledCount, oldestDelivery } from "../webhooks/delivery-sql.ts";

/** What waits or has stopped in the whole installation, for an operator. */
export interface Standing {
  /** Since when the longest waiting reply has waited for its call; null: none waits. */
  readonly oldestReply: Date | null;
  /** Since when the webhook delivery that is due longest has been due. Only enabled endpoints count. */
  readonly oldestDelivery: Date | null;
  readonly endpointsDisabled: number;
  readonly channelsInError: number;
  /** Events and calls of platforms that could not be taken in and were given up (`inbound_failure`). */
  readonly inboundKept: number;
}

const MOST_MS = 2_000;

/** Reads by index, workspace by workspace and endpoint by endpoint. Null when that takes more than two seconds. */
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
  sql`select ${oldestReply} as "oldestReply", ${oldestDelivery(now)} as "oldestDelivery",
    ${disabledCount} as "endpointsDisabled", ${troubledCount} as "channelsInError", ${keptFailures} as "inboundKept"`;

/** PostgreSQL's version, the size of its database, and `freeBytes` in the same form. */
export async function selectServer(
  db: Queryable,
  freeBytes: number,
): Promise<{ version: string; size: string; free: string } | undefined> {
  const [row] = await db.query<{ version: string; size: string; free: string }>(
    sql`select current_setting('server_version') as version,
      pg_size_pretty(pg_database_size(current_database())) as size, pg_size_pretty(${freeBytes}::bigint) as free`,
  );
  return row;
}
