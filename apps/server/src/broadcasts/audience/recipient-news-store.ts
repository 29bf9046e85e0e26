import type { Tx } from "../../db/database.ts";
import { sql, type Sql } from "../../db/sql.ts";
import { kindIsWanted } from "../../webhooks/endpoint-sql.ts";
import type { RecipientStatus } from "../../wire/words.ts";

/** A recipient whose state moved. */
export interface RecipientNews {
  readonly workspaceId: string;
  readonly broadcastId: string;
  readonly contactId: string;
  readonly messageId: string | null;
  /** Null: skipped when the audience was stored. */
  readonly previous: RecipientStatus | null;
  readonly status: RecipientStatus;
  readonly reason: string | null;
  readonly detail: string | null;
  readonly at: Date;
}

/**
 * The part of a statement that moves recipients which leaves a row for each, if somebody wants events of them: so it costs
 * no statement of its own. `moved` has the columns workspace_id, broadcast_id, contact_id, message_id, previous, status, reason and detail.
 */
export const leaveNews = (moved: Sql, at: Date): Sql => sql`
  insert into broadcast_news (workspace_id, broadcast_id, contact_id, message_id, previous, status, reason, detail, at)
  select m.workspace_id, m.broadcast_id, m.contact_id, m.message_id, m.previous, m.status, m.reason, m.detail, ${at}::timestamptz
  from (${moved}) m where ${kindIsWanted(sql`m.workspace_id`, "broadcast.recipient")}`;

/**
 * Takes the oldest rows, at most `limit`. One transaction at a time takes some, so that two rows of one recipient stay in
 * their order; the others get none.
 */
export async function deleteOldestNews(tx: Tx, limit: number): Promise<RecipientNews[]> {
  const [lock] = await tx.query<{ free: boolean }>(
    sql`select pg_try_advisory_xact_lock(hashtextextended('broadcast_news', 0)) as free`,
  );
  if (!lock?.free) return [];
  return tx.query<RecipientNews>(sql`
    with taken as (
      delete from broadcast_news where ctid = any (array(
        select ctid from broadcast_news order by workspace_id, id limit ${limit}::int))
      returning *
    )
    select workspace_id as "workspaceId", broadcast_id as "broadcastId", contact_id as "contactId",
      message_id as "messageId", previous, status, reason, detail, at
    from taken order by workspace_id, id`);
}
