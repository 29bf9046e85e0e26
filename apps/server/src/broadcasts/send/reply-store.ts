import type { InboundMessage } from "../../context.ts";
import { formerIds } from "../../contacts/record/contact-sql.ts";
import type { Tx } from "../../db/database.ts";
import { sql } from "../../db/sql.ts";

/**
 * Stores which of the messages answer a campaign. One statement serves a batch: it looks up the few campaigns of
 * the last `daysMost` days for these contacts by their key, and nothing waits for its answer before the commit. A
 * reply is a row of its own, so that a customer's message locks no recipient or campaign. Platforms give seconds:
 * an answer within the second of the send counts.
 */
export async function insertReplies(
  tx: Tx,
  messages: readonly InboundMessage[],
  daysMost: number,
): Promise<void> {
  await tx.query(sql`
    with item as (
      select i.*, array[i.contact_id] || array(${formerIds(sql`i.workspace_id`, sql`i.contact_id`)}) as contact_ids
      from unnest(${messages.map((one) => one.workspaceId)}::uuid[], ${messages.map((one) => one.contactId)}::uuid[],
        ${messages.map((one) => one.channelId)}::uuid[], ${messages.map((one) => one.messageId)}::uuid[],
        ${messages.map((one) => one.at)}::timestamptz[]) as i (workspace_id, contact_id, channel_id, message_id, at)
    )
    insert into broadcast_reply (workspace_id, broadcast_id, contact_id, message_id, replied_at)
    select distinct on (i.workspace_id, l.broadcast_id, l.contact_id)
      i.workspace_id, l.broadcast_id, l.contact_id, i.message_id, i.at
    from item i
    cross join lateral (
      select b.id as broadcast_id, r.contact_id
      from broadcast b
      -- The limit keeps the planner from reading every recipient of the workspace for one contact.
      cross join lateral (select contact_id, called_at from broadcast_recipient
        where workspace_id = b.workspace_id and broadcast_id = b.id and contact_id = any (i.contact_ids)
          and status in ('sending', 'sent', 'delivered', 'read') and called_at is not null
        order by called_at desc limit 1) r
      where b.workspace_id = i.workspace_id and b.started_at is not null and b.channel_id = i.channel_id
        and coalesce(b.completed_at, 'infinity') > i.at - make_interval(days => ${daysMost})
        and coalesce(b.completed_at, 'infinity') > i.at - make_interval(days => b.reply_days)
        and date_trunc('second', r.called_at) <= i.at and i.at < r.called_at + make_interval(days => b.reply_days)
      order by r.called_at desc limit 1
    ) l
    order by i.workspace_id, l.broadcast_id, l.contact_id, i.at, i.message_id
    on conflict do nothing`);
}
