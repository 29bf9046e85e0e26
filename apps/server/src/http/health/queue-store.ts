import { oldestDueRun } from "../../bots/thread/run-sql.ts";
import { broadcastQueue, oldestDueBroadcast } from "../../broadcasts/record/broadcast-sql.ts";
import { oldestDueBotLook } from "../../conversations/handler-sql.ts";
import type { Db } from "../../db/database.ts";
import { join, sql, type Sql } from "../../db/sql.ts";
import { oldestDueImport } from "../../imports/import-file-sql.ts";
import { oldestDueSource } from "../../knowledge/knowledge-sql.ts";
import { oldestDueMedia } from "../../media/media-sql.ts";
import { failureQueue, oldestDueFailure } from "../../messages/receive/inbound-failure-sql.ts";
import { oldestDueReply, replyQueue } from "../../messages/send/outbox-sql.ts";
import { oldestDueErasure } from "../../persons/erasure-sql.ts";
import { oldestDueJob } from "../../segments/job-sql.ts";
import { deliveryQueue, oldestDueDelivery } from "../../webhooks/delivery-sql.ts";
import { oldestDueMail } from "../../workspaces/mail-sql.ts";

/** The most rows of a queue that are counted. A scrape must stay cheap with a million rows. */
export const MOST_COUNTED = 1_000;

/** Since when the oldest work of each queue has been due, by the name that operators read. */
const oldestDue = (now: Date): Readonly<Record<string, Sql>> => ({
  messages: oldestDueReply(now),
  deliveries: oldestDueDelivery(now),
  broadcasts: oldestDueBroadcast(now),
  inbound: oldestDueFailure(now),
  media: oldestDueMedia(now),
  bots: sql`least(${oldestDueBotLook(now)}, ${oldestDueRun(now)})`,
  knowledge: oldestDueSource(now),
  imports: oldestDueImport(now),
  jobs: oldestDueJob,
  erasures: oldestDueErasure(now),
  mail: oldestDueMail(now),
});

/**
 * Reads since when the oldest work of each queue has been due, as rows `queue, since`; null: nothing is due. Each is
 * found by an index, or in a table that stays small.
 */
export function selectOldestDue(
  db: Pick<Db, "slowQuery">,
  now: Date,
  timeoutMs: number,
): Promise<{ queue: string; since: Date | null }[]> {
  const each = Object.entries(oldestDue(now)).map(
    ([queue, since]) => sql`select ${queue}::text as queue, ${since} as since`,
  );
  return db.slowQuery(join(each, " union all "), timeoutMs, "by index");
}

const ROWS = join(
  [
    replyQueue(MOST_COUNTED),
    deliveryQueue(MOST_COUNTED),
    broadcastQueue,
    failureQueue(MOST_COUNTED),
  ],
  " union all ",
);

/** Counts the rows of the queues, as rows `queue, state, n`: at most `MOST_COUNTED` of a state. */
export function selectQueueRows(
  db: Pick<Db, "slowQuery">,
  timeoutMs: number,
): Promise<{ queue: string; state: string; n: number }[]> {
  return db.slowQuery(ROWS, timeoutMs, "by index");
}
