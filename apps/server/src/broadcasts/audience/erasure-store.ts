import type { Queryable, Tx } from "../../db/database.ts";
import { sql } from "../../db/sql.ts";

/**
 * Locks, in the order of their ids, the next campaigns of the workspace that have one of the contacts or are just
 * storing their audience, and gives them. The storing of an audience locks the row until its recipients can be
 * seen.
 */
export async function lockNextCampaigns(
  tx: Tx,
  workspaceId: string,
  contactIds: readonly string[],
  after: string,
  limit: number,
): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(sql`
    select b.id from broadcast b where b.workspace_id = ${workspaceId} and b.id > ${after}
      and (b.status = 'QUEUED' or exists (select 1 from unnest(${contactIds}::uuid[]) as k (id)
        cross join lateral (select 1 from broadcast_recipient where workspace_id = b.workspace_id
          and broadcast_id = b.id and contact_id = k.id limit 1) r))
    order by b.id limit ${limit} for no key update`);
  return rows.map((row) => row.id);
}

export interface BlankedRecipient {
  readonly messageId: string | null;
  /** Null: SMS. */
  readonly channelId: string | null;
  /** It was waiting, with a message of an earlier try. */
  readonly waited: boolean;
}

/**
 * Removes what was frozen for recipients. Waiting ones are skipped and counted. One with an open call is left
 * alone. The campaigns are locked.
 */
export async function blankRecipients(
  tx: Tx,
  workspaceId: string,
  campaignIds: readonly string[],
  contactIds: readonly string[],
  now: Date,
): Promise<BlankedRecipient[]> {
  return tx.query<BlankedRecipient>(sql`
    with mine as (
      select broadcast_id, contact_id, status, message_id from broadcast_recipient
      where workspace_id = ${workspaceId} and broadcast_id = any(${campaignIds}::uuid[])
        and contact_id = any(${contactIds}::uuid[]) and status <> 'sending'
      order by broadcast_id, contact_id for no key update
    ), moved as (
      update broadcast_recipient r set address = null, content = null, detail = null, message_id = null, zone = '',
        status = case when r.status = 'pending' then 'skipped' else r.status end,
        reason = case when r.status = 'pending' then 'erased' else r.reason end,
        settled_at = case when r.status = 'pending' then ${now}::timestamptz else r.settled_at end
      from mine where r.workspace_id = ${workspaceId} and r.broadcast_id = mine.broadcast_id
        and r.contact_id = mine.contact_id
      returning r.broadcast_id, r.contact_id, mine.message_id, mine.status = 'pending' as waited
    ), waits_no_more as (
      delete from broadcast_again a using moved m where m.waited and a.workspace_id = ${workspaceId}
        and a.broadcast_id = m.broadcast_id and a.contact_id = m.contact_id
    ), counted as (
      update broadcast b set skipped_count = b.skipped_count + n.count
      from (select broadcast_id, count(*) as count from moved where waited group by broadcast_id) n
      where b.workspace_id = ${workspaceId} and b.id = n.broadcast_id
    )
    select m.message_id as "messageId", b.channel_id as "channelId", m.waited
    from moved m join broadcast b on b.workspace_id = ${workspaceId} and b.id = m.broadcast_id`);
}

/** Messages with an open call, or with an outcome that is still awaited. */
export async function selectCalling(
  db: Queryable,
  workspaceId: string,
  contactIds: readonly string[],
): Promise<string[]> {
  const rows = await db.query<{ id: string }>(sql`
    select r.message_id as id from broadcast b cross join unnest(${contactIds}::uuid[]) as k (id)
    cross join lateral (select message_id, status from broadcast_recipient
      where workspace_id = b.workspace_id and broadcast_id = b.id and contact_id = k.id limit 1) r
    where b.workspace_id = ${workspaceId} and b.started_at is not null and r.status = 'sending'`);
  return rows.map((row) => row.id);
}

/** What campaigns froze and recorded of a person. */
export interface PersonRecipient {
  readonly broadcastId: string;
  readonly name: string;
  readonly contactId: string;
  readonly address: string | null;
  readonly values: unknown;
  readonly variant: number | null;
  readonly status: string;
  readonly reason: string | null;
  readonly detail: string | null;
  readonly messageId: string | null;
  readonly calledAt: Date | null;
  readonly settledAt: Date | null;
  readonly repliedAt: Date | null;
  /** When the campaign was started. */
  readonly startedAt: Date | null;
}

/**
 * Campaigns that have one of the contacts, newest first, with ids below `below`: one look-up each by the primary
 * key.
 */
export function selectOfPerson(
  db: Queryable,
  workspaceId: string,
  contactIds: readonly string[],
  below: string,
  limit: number,
): Promise<PersonRecipient[]> {
  return db.query<PersonRecipient>(sql`
    select b.id as "broadcastId", b.name, r.contact_id as "contactId", r.address, r.content as values, r.variant,
      r.status, r.reason, r.detail, r.message_id as "messageId", r.called_at as "calledAt",
      r.settled_at as "settledAt", p.replied_at as "repliedAt", b.started_at as "startedAt"
    from broadcast b
    cross join lateral (select r.* from unnest(${contactIds}::uuid[]) as k (id)
      cross join lateral (select * from broadcast_recipient
        where workspace_id = b.workspace_id and broadcast_id = b.id and contact_id = k.id limit 1) r) r
    left join lateral (select replied_at from broadcast_reply where workspace_id = b.workspace_id
      and broadcast_id = b.id and contact_id = r.contact_id limit 1) p on true
    where b.workspace_id = ${workspaceId} and b.id < ${below}
    order by b.id desc limit ${limit}`);
}

/** Members' own words in the newest campaigns, each campaign as one text. */
export function selectTexts(
  db: Queryable,
  workspaceId: string,
  limit: number,
): Promise<{ id: string; text: string }[]> {
  return db.query(sql`
    select id, concat_ws(chr(10), name, body, array_to_string(variables, chr(10)), header_text, button_texts::text,
      variants::text) as text
    from broadcast where workspace_id = ${workspaceId} order by id desc limit ${limit}`);
}
