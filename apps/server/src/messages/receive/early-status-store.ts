import type { Queryable, Tx } from "../../db/database.ts";
import { nilId, sql } from "../../db/sql.ts";
import { NIL_ID } from "../../lib/ids.ts";
import type { OutboundStatus } from "../../wire/words.ts";
import type { ProviderKey } from "../record/message-store.ts";

export interface ParkedStatus extends ProviderKey {
  readonly status: OutboundStatus;
  readonly at: Date;
  readonly errorCode: string | null;
  readonly errorMessage: string | null;
}

/** Keeps reports whose message is not known yet. The same report is kept once. */
export async function parkStatuses(
  tx: Tx,
  rows: readonly ParkedStatus[],
  receivedAt: Date,
): Promise<void> {
  await tx.query(sql`
    insert into early_status (workspace_id, channel_id, provider_message_id, status, occurred_at, error_code,
      error_detail, received_at)
    select u.*, ${receivedAt}::timestamptz from unnest(
      ${rows.map((row) => row.workspaceId)}::uuid[], ${rows.map((row) => row.channelId ?? NIL_ID)}::uuid[],
      ${rows.map((row) => row.providerMessageId)}::text[], ${rows.map((row) => row.status)}::text[],
      ${rows.map((row) => row.at)}::timestamptz[], ${rows.map((row) => row.errorCode)}::text[],
      ${rows.map((row) => row.errorMessage)}::text[])
      as u (workspace_id, channel_id, provider_message_id, status)
    order by 1, 2, 3, 4
    on conflict do nothing`);
}

/** Removes and gives the reports that waited for these provider ids. */
export function popEarlyStatuses(tx: Tx, keys: readonly ProviderKey[]): Promise<ParkedStatus[]> {
  return tx.query<ParkedStatus>(sql`
    delete from early_status e
    using unnest(${keys.map((key) => key.workspaceId)}::uuid[], ${keys.map((key) => key.channelId ?? NIL_ID)}::uuid[],
      ${keys.map((key) => key.providerMessageId)}::text[]) as k (workspace_id, channel_id, provider_message_id)
    where e.workspace_id = k.workspace_id and e.channel_id = k.channel_id
      and e.provider_message_id = k.provider_message_id
    returning e.workspace_id as "workspaceId", nullif(e.channel_id, ${NIL_ID}::uuid) as "channelId",
      e.provider_message_id as "providerMessageId", e.status, e.occurred_at as at, e.error_code as "errorCode",
      e.error_detail as "errorMessage"`);
}

/**
 * Removes and gives reports whose message has its provider id by now: both were stored at the same moment. Looks only
 * at reports that were parked after `since`, because a number that another program uses too parks reports all day long.
 */
export function popMatchedStatuses(tx: Tx, since: Date, limit: number): Promise<ParkedStatus[]> {
  return tx.query<ParkedStatus>(sql`
    delete from early_status e using (
      select p.workspace_id, p.channel_id, p.provider_message_id, p.status from early_status p
      where p.received_at >= ${since}::timestamptz and ((select 1 from message_part
        where workspace_id = p.workspace_id and channel_id = p.channel_id
        and provider_message_id = p.provider_message_id limit 1) is not null
        or (select direction from message where workspace_id = p.workspace_id
        and coalesce(channel_id, ${nilId}) = p.channel_id
        and provider_message_id = p.provider_message_id limit 1) = 'outbound')
      limit ${limit} for update skip locked) f
    where e.workspace_id = f.workspace_id and e.channel_id = f.channel_id
      and e.provider_message_id = f.provider_message_id and e.status = f.status
    returning e.workspace_id as "workspaceId", nullif(e.channel_id, ${NIL_ID}::uuid) as "channelId",
      e.provider_message_id as "providerMessageId", e.status, e.occurred_at as at, e.error_code as "errorCode",
      e.error_detail as "errorMessage"`);
}

/** Deletes reports that were parked before `before` and found no message. Gives how many. */
export async function pruneParked(db: Queryable, before: Date): Promise<number> {
  const rows = await db.query(
    sql`delete from early_status where received_at < ${before}::timestamptz returning 1`,
  );
  return rows.length;
}
