import type { Tx } from "../db/database.ts";
import { sql } from "../db/sql.ts";
import { allotDeskNumbers } from "../webhooks/desk-number-sql.ts";
import type { DeskChange } from "./desk-change.ts";

/**
 * Writes the rows of the inbox and their labels, each with the workspace's next number. The conversations must be
 * locked, because a row is read and written whole. The sequence is locked first and the rows after it. So two of
 * these statements never wait for each other. The time of the change is read under that lock: no row that is committed
 * later has an earlier one.
 */
export async function writeDeskRows(tx: Tx, changes: readonly DeskChange[]): Promise<void> {
  await tx.query(sql`
    with item as (
      select * from jsonb_to_recordset(${JSON.stringify(changes.map(itemOf))}::jsonb) as t (
        n integer, workspace_id uuid, id uuid, channel_id uuid, status text, assignee_id uuid, labels text[],
        window_expires_at timestamptz, began_at timestamptz, acted_at timestamptz, waiting text, snooze text,
        snoozed_until timestamptz, preview text, preview_kind text, preview_side text, last_inbound_id uuid,
        last_outbound_id uuid, inbound integer, failed boolean, preview_by text, answered boolean, unread boolean)
    ), wanted as (
      select workspace_id, count(*) as n from item group by workspace_id
    ), ${allotDeskNumbers}, whole as (
      select i.workspace_id, i.id, i.channel_id, i.status, i.assignee_id, i.labels,
        coalesce(greatest(o.desk_at, i.acted_at), i.began_at) as desk_at,
        case i.waiting when 'customer' then coalesce(o.waiting_since, i.acted_at) when 'nobody' then null
          else o.waiting_since end as waiting_since,
        case when i.status <> 'snoozed' then null when i.snooze = 'set' then i.snoozed_until
          else o.snoozed_until end as snoozed_until,
        i.window_expires_at, coalesce(i.last_inbound_id, o.last_inbound_id) as last_inbound_id,
        coalesce(i.last_outbound_id, o.last_outbound_id) as last_outbound_id, coalesce(i.preview, o.preview, '') as preview,
        coalesce(i.preview_kind, o.preview_kind, 'text') as preview_kind,
        coalesce(i.preview_side, o.preview_side, 'customer') as preview_side,
        case when i.preview_kind is null then o.preview_by else i.preview_by end as preview_by,
        case when i.answered then coalesce(o.inbound_count, 0) + i.inbound
          else coalesce(o.answered_inbound, 0) end as answered_inbound,
        coalesce(o.inbound_count, 0) + i.inbound as inbound_count, coalesce(i.failed, o.failed, false) as failed,
        a.desk - w.n + row_number() over (partition by i.workspace_id order by i.n) as change,
        i.unread, clock_timestamp() as changed_at, o.status as old_status, o.desk_at as old_desk_at, o.labels as old_labels
      from item i join wanted w using (workspace_id) join allotted a using (workspace_id)
      left join lateral (select * from desk_conversation
        where workspace_id = i.workspace_id and conversation_id = i.id limit 1) o on true
    ), unlabelled as (
      delete from desk_label l using whole f
      where l.workspace_id = f.workspace_id and l.label = any (f.old_labels) and l.status = f.old_status
        and l.desk_at = f.old_desk_at and l.conversation_id = f.id
        and not (l.label = any (f.labels) and l.status = f.status and l.desk_at = f.desk_at)
    ), labelled as (
      insert into desk_label (workspace_id, label, status, desk_at, conversation_id)
      select f.workspace_id, l.label, f.status, f.desk_at, f.id from whole f cross join unnest(f.labels) l (label)
      on conflict do nothing
    )
    insert into desk_conversation (workspace_id, conversation_id, channel_id, status, assignee_id, labels, desk_at,
      waiting_since, snoozed_until, window_expires_at, last_inbound_id, last_outbound_id, preview, preview_kind,
      preview_side, preview_by, inbound_count, answered_inbound, failed, change, changed_at, unread)
    select workspace_id, id, channel_id, status, assignee_id, labels, desk_at, waiting_since, snoozed_until,
      window_expires_at, last_inbound_id, last_outbound_id, preview, preview_kind, preview_side, preview_by,
      inbound_count, answered_inbound, failed, change, changed_at, unread
    from whole order by workspace_id, id
    on conflict (workspace_id, conversation_id) do update set
      channel_id = excluded.channel_id, status = excluded.status, assignee_id = excluded.assignee_id,
      labels = excluded.labels, desk_at = excluded.desk_at, waiting_since = excluded.waiting_since,
      snoozed_until = excluded.snoozed_until, window_expires_at = excluded.window_expires_at,
      last_inbound_id = excluded.last_inbound_id, last_outbound_id = excluded.last_outbound_id,
      preview = excluded.preview, preview_kind = excluded.preview_kind, preview_side = excluded.preview_side,
      preview_by = excluded.preview_by, inbound_count = excluded.inbound_count,
      answered_inbound = excluded.answered_inbound, failed = excluded.failed, change = excluded.change,
      changed_at = excluded.changed_at, unread = excluded.unread`);
}

const itemOf = ({ conversation, ...change }: DeskChange, n: number) => ({
  n,
  workspace_id: conversation.workspaceId,
  id: conversation.id,
  channel_id: conversation.channelId,
  status: conversation.status,
  assignee_id: conversation.assigneeId,
  labels: conversation.labels,
  window_expires_at: conversation.windowExpiresAt,
  began_at: change.actedAt ?? conversation.lastMessageAt ?? conversation.createdAt,
  acted_at: change.actedAt ?? null,
  waiting: change.waiting ?? null,
  snooze: change.snoozedUntil === undefined ? null : "set",
  snoozed_until: change.snoozedUntil ?? null,
  preview: change.said?.preview ?? null,
  preview_kind: change.said?.kind ?? null,
  preview_side: change.said?.side ?? null,
  preview_by: change.said?.by ?? null,
  answered: change.answered ?? false,
  last_inbound_id: change.said?.side === "customer" ? change.said.id : null,
  last_outbound_id: change.said?.side === "us" ? change.said.id : (change.lastOutboundId ?? null),
  inbound: change.inbound ?? 0,
  unread: conversation.unreadCount + (change.inbound ?? 0) > 0,
  failed: change.failed ?? null,
});
