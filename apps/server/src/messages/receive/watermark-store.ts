import type { Tx } from "../../db/database.ts";
import { nilId, sql } from "../../db/sql.ts";
import { threadOf } from "../../conversations/conversation-sql.ts";
import { holderOf } from "../../contacts/identity/identity-sql.ts";

export interface Watermark {
  readonly workspaceId: string;
  readonly channelId: string;
  readonly customerExternalId: string;
  readonly status: "delivered" | "read";
  readonly at: Date;
  /** The last message that is covered, when the platform names one. */
  readonly providerMessageId: string | null;
}

/** How many messages of a thread are read, newest first. Earlier watermarks covered the older ones. */
const DEPTH = 500;

/**
 * The messages and parts of ours that each watermark newly covers: the platform took them at or before its time, and
 * their status is behind it. `index` is the watermark's place in `marks`. One statement for all.
 */
export function selectCovered(
  tx: Tx,
  marks: readonly Watermark[],
): Promise<{ index: number; messageId: string; part: number | null }[]> {
  return tx.query(sql`
    with mark as (
      select k.ordinality::integer - 1 as index, k.workspace_id, k.status, c.id as conversation_id,
        case when k.mid is null then k.at else coalesce(
          (select m.sent_at from message m where m.workspace_id = k.workspace_id
            and coalesce(m.channel_id, ${nilId}) = k.channel_id
            and m.provider_message_id = k.mid and m.part_count is null limit 1),
          (select p.sent_at from message_part p where p.workspace_id = k.workspace_id and p.channel_id = k.channel_id
            and p.provider_message_id = k.mid limit 1))
        end as at
      from unnest(${marks.map((one) => one.workspaceId)}::uuid[], ${marks.map((one) => one.channelId)}::uuid[],
        ${marks.map((one) => one.customerExternalId)}::text[], ${marks.map((one) => one.status)}::text[],
        ${marks.map((one) => one.at)}::timestamptz[], ${marks.map((one) => one.providerMessageId)}::text[])
        with ordinality as k (workspace_id, channel_id, customer, status, at, mid, ordinality)
      cross join lateral ${holderOf(sql`k.workspace_id`, sql`k.channel_id`, sql`k.customer`)} i
      cross join lateral ${threadOf(sql`k.workspace_id`, sql`k.channel_id`, sql`i.contact_id`)} c
    ), thread as (
      select mark.index, mark.status as wanted, mark.at, m.*
      from mark cross join lateral (
        select workspace_id, id, direction, status, sent_at, part_count from message
        where workspace_id = mark.workspace_id and conversation_id = mark.conversation_id
        order by id desc limit ${DEPTH}) m
      where m.direction = 'outbound'
    )
    select index, id as "messageId", null::smallint as part from thread
    where part_count is null and sent_at <= at and (status = 'sent' or (status = 'delivered' and wanted = 'read'))
    union all
    select t.index, t.id, p.number from thread t
    cross join lateral (select * from message_part where workspace_id = t.workspace_id and message_id = t.id
      order by message_id) p
    where t.part_count is not null and p.sent_at <= t.at
      and (p.status = 'sent' or (p.status = 'delivered' and t.wanted = 'read'))`);
}
