import type { Tx } from "../../db/database.ts";
import { sql } from "../../db/sql.ts";
import type { OutboundStatus } from "../../wire/words.ts";
import type { BroadcastKey } from "../record/broadcast-store.ts";
import { type RecipientClaim, type SkipReason } from "./recipient.ts";
import { OUTCOME_UNKNOWN } from "../../sending/give-up-lost.ts";
import { leaveNews } from "./recipient-news-store.ts";
import { waitAgain, type Again, type Waiting } from "./waiting-store.ts";

/**
 * Locks campaigns in order. Every change of a recipient's state holds its campaign's row, so recipients' rows need
 * no locks of their own and can be written by their place in the table.
 */
export async function lockCampaigns(tx: Tx, keys: readonly BroadcastKey[]): Promise<void> {
  await tx.query(sql`
    select from (select distinct * from unnest(${keys.map((key) => key.workspaceId)}::uuid[],
      ${keys.map((key) => key.id)}::uuid[]) as u (workspace_id, id) order by workspace_id, id) k
    cross join lateral (select from broadcast where workspace_id = k.workspace_id and id = k.id for no key update) b`);
}

/**
 * True while a recipient of campaign `b` waits or is with a worker: the campaign is not complete. Decided by the
 * counts.
 */
export const openRecipients = sql`b.total_count > b.sent_count + b.failed_count + b.skipped_count`;

/**
 * Claims the recipients of one batch for a process, in the order of their calls, and stores the flight by which others
 * find them. Gives how many rows were written; the caller checks that it is all of them. No call begins before its intent
 * is stored too (`intendCalls`).
 */
export async function claimCalls(
  tx: Tx,
  key: BroadcastKey,
  flight: { readonly id: string; readonly processId: string },
  calls: readonly { readonly claim: Waiting; readonly messageId: string }[],
  now: Date,
): Promise<number> {
  const rows = await tx.query<{ count: number }>(sql`
    with flight as (
      insert into broadcast_flight (workspace_id, broadcast_id, id, process_id, called_at, begun, contact_ids)
      values (${key.workspaceId}, ${key.id}, ${flight.id}, ${flight.processId}, ${now}, 0,
        ${calls.map(({ claim }) => claim.contactId)}::uuid[])
    ), called as (
      update broadcast_recipient r set status = 'sending', fence = r.fence + 1, called_at = ${now},
        message_id = t.message_id
      from unnest(${calls.map(({ claim }) => claim.place)}::tid[], ${calls.map((call) => call.messageId)}::uuid[])
        as t (place, message_id)
      where r.ctid = t.place and r.status = 'pending'
      returning 1
    )
    select count(*) as count from called`);
  return rows[0]?.count ?? 0;
}

export interface PutBack {
  readonly claim: Pick<RecipientClaim, "contactId" | "fence">;
  /** Null: at once. */
  readonly availableAt: Date | null;
  /** True when a call was made and came back: it counts as a try. */
  readonly tried: boolean;
}

/**
 * Makes recipients wait again that were not called after all. A recipient that was settled meanwhile (the fence)
 * is left alone.
 */
export async function putBack(tx: Tx, key: BroadcastKey, items: readonly PutBack[]): Promise<void> {
  if (items.length === 0) return;
  await lockCampaigns(tx, [key]);
  const moved = await tx.query<Again>(sql`
    update broadcast_recipient r set status = 'pending', called_at = null, attempts = r.attempts + f.tried
    from (select t.*, p.place from unnest(${items.map((item) => item.claim.contactId)}::uuid[],
        ${items.map((item) => item.claim.fence)}::integer[], ${items.map((item) => item.availableAt)}::timestamptz[],
        ${items.map((item) => (item.tried ? 1 : 0))}::integer[]) as t (contact_id, fence, available_at, tried)
      cross join lateral (select ctid as place, fence, status from broadcast_recipient
        where workspace_id = ${key.workspaceId} and broadcast_id = ${key.id} and contact_id = t.contact_id limit 1) p
      where p.fence = t.fence and p.status = 'sending') f
    where r.ctid = f.place
    returning r.contact_id as "contactId", r.zone, f.available_at as "availableAt",
      r.message_id is not null as "hasMessage"`);
  await waitAgain(tx, key, moved);
}

/** Skips waiting recipients and counts them, in one statement. The campaign is locked. */
export async function skipWaiting(
  tx: Tx,
  key: BroadcastKey,
  items: readonly { readonly claim: Waiting; readonly reason: SkipReason }[],
  now: Date,
): Promise<void> {
  if (items.length === 0) return;
  await tx.query(sql`
    with moved as (
      update broadcast_recipient r set status = 'skipped', reason = t.reason, settled_at = ${now}
      from unnest(${items.map((item) => item.claim.place)}::tid[], ${items.map((item) => item.reason)}::text[])
        as t (place, reason)
      where r.ctid = t.place and r.status = 'pending'
      returning r.workspace_id, r.broadcast_id, r.contact_id, r.message_id, r.status, r.reason, r.detail
    ), news as (${leaveNews(sql`select *, 'pending' as previous from moved`, now)}
    )
    update broadcast set skipped_count = skipped_count + (select count(*) from moved)
    where workspace_id = ${key.workspaceId} and id = ${key.id}`);
}

/** A message of a campaign with a known status. */
export interface RecipientMove {
  readonly workspaceId: string;
  readonly broadcastId: string;
  /** The contact id under which its recipient is stored. */
  readonly contactId: string;
  readonly messageId: string;
  readonly to: OutboundStatus;
  readonly code: string | null;
  readonly detail: string | null;
}

/**
 * Moves recipients as their messages moved, and the counts of their campaigns with them. Repeating it changes
 * nothing. A recipient that has another message by now (it was reopened) is left alone. Recipients are looked up
 * one by one by key: as a join the planner reads the recipients of all campaigns. With a condition on the status,
 * while the table had no statistics, it took the index of addresses, which reads the whole campaign for each of
 * them (2 s a batch among 10,000). Campaign rows are locked in order, so that batches over several do not wait in
 * a circle.
 */
export async function moveRecipients(
  tx: Tx,
  moves: readonly RecipientMove[],
  now: Date,
): Promise<void> {
  if (moves.length === 0) return;
  // First, so that the next statement finds the rows at the place where they are written. Nothing waits for their
  // answers: they travel with the commit, and the campaign is not locked for a round trip.
  tx.later(lockCampaigns(tx, campaignsOf(moves)));
  const moving = tx.query(sql`
    with old as (
      select f.*, i.workspace_id, i.broadcast_id, i.contact_id, i.target, i.code, i.detail
      from unnest(${moves.map((move) => move.workspaceId)}::uuid[], ${moves.map((move) => move.broadcastId)}::uuid[],
        ${moves.map((move) => move.contactId)}::uuid[], ${moves.map((move) => move.messageId)}::uuid[],
        ${moves.map((move) => move.to)}::text[], ${moves.map((move) => move.code)}::text[],
        ${moves.map((move) => move.detail)}::text[])
        as i (workspace_id, broadcast_id, contact_id, message_id, target, code, detail)
      cross join lateral (
        select ctid as place, status, reason, message_id from broadcast_recipient
        where workspace_id = i.workspace_id and broadcast_id = i.broadcast_id and contact_id = i.contact_id limit 1
      ) f
      where f.message_id = i.message_id and f.status not in ('skipped', i.target)
        and (i.target <> 'sent' or f.status in ('pending', 'sending') or f.reason = ${OUTCOME_UNKNOWN})
    ), moved as (
      update broadcast_recipient r set status = o.target, settled_at = ${now},
        reason = case when o.target = 'failed' then o.code end,
        detail = case when o.target = 'failed' then o.detail end
      from old o where r.ctid = o.place
      returning r.workspace_id, r.broadcast_id, o.status as was, r.status as became, r.contact_id, r.message_id, r.reason,
        r.detail
    ), news as (${leaveNews(sql`select *, was as previous, became as status from moved`, now)}
    ), change as (
      select workspace_id, broadcast_id as id,
        sum((became in ('sent', 'delivered', 'read'))::int - (was in ('sent', 'delivered', 'read'))::int) as sent,
        sum((became in ('delivered', 'read'))::int - (was in ('delivered', 'read'))::int) as delivered,
        sum((became = 'read')::int - (was = 'read')::int) as read,
        sum((became = 'failed')::int - (was = 'failed')::int) as failed
      from moved group by workspace_id, broadcast_id
    ), waits_no_more as (
      delete from broadcast_again where ctid = any (array(select a.place from old o
        cross join lateral (select ctid as place from broadcast_again where workspace_id = o.workspace_id
          and broadcast_id = o.broadcast_id and contact_id = o.contact_id limit 1) a
        where o.status = 'pending'))
    ), became as (
      select workspace_id, broadcast_id as id,
        count(*) filter (where became in ('sent', 'delivered', 'read') and was not in ('sent', 'delivered', 'read')) as sent,
        count(*) filter (where became in ('delivered', 'read') and was not in ('delivered', 'read')) as delivered,
        count(*) filter (where became = 'read') as read, count(*) filter (where became = 'failed') as failed
      from moved group by workspace_id, broadcast_id
    ), charted as (
      insert into broadcast_minute as n (workspace_id, broadcast_id, minute, sent, delivered, read, failed)
      select workspace_id, id, date_trunc('minute', ${now}::timestamptz, 'UTC'), sent, delivered, read, failed
      from became
      on conflict (workspace_id, broadcast_id, minute) do update set sent = n.sent + excluded.sent,
        delivered = n.delivered + excluded.delivered, read = n.read + excluded.read, failed = n.failed + excluded.failed
    )
    update broadcast b set sent_count = b.sent_count + c.sent, delivered_count = b.delivered_count + c.delivered,
      read_count = b.read_count + c.read, failed_count = b.failed_count + c.failed
    from change c
    where b.workspace_id = c.workspace_id and b.id = c.id`);
  tx.later(moving);
}

function campaignsOf(moves: readonly RecipientMove[]): BroadcastKey[] {
  const keys = new Map<string, BroadcastKey>();
  for (const { workspaceId, broadcastId } of moves)
    keys.set(broadcastId, { workspaceId, id: broadcastId });
  return [...keys.values()];
}

/**
 * Makes up to `limit` recipients with an unknown outcome, after a contact, wait again; skips a recipient that is
 * in none of `states` by now. Gives how many, and the last of them when there may be more.
 */
export async function reopenUnknown(
  tx: Tx,
  key: BroadcastKey,
  states: readonly string[],
  contactIds: readonly string[] | null,
  after: string,
  limit: number,
  now: Date,
): Promise<{ readonly count: number; readonly last: string | null }> {
  const chosen = contactIds === null ? sql`true` : sql`r.contact_id = any (${contactIds}::uuid[])`;
  await lockCampaigns(tx, [key]);
  const [row] = await tx.query<{ count: number; last: string | null }>(sql`
    with chosen as materialized (
      select r.ctid as place, r.contact_id from broadcast_recipient r
      where r.workspace_id = ${key.workspaceId} and r.broadcast_id = ${key.id} and r.status = 'failed'
        and r.reason = ${OUTCOME_UNKNOWN} and r.contact_id > ${after} and ${chosen}
        and exists (select 1 from broadcast where workspace_id = ${key.workspaceId} and id = ${key.id}
          and status = any (${states}::text[]))
      order by r.contact_id limit ${limit}::int
    ), moved as (
      update broadcast_recipient r set status = 'pending', reason = null, detail = null, message_id = null,
        called_at = null, settled_at = null, attempts = 0
      from chosen c where r.ctid = c.place
      returning r.workspace_id, r.broadcast_id, r.contact_id, r.zone, r.status
    ), news as (${leaveNews(
      sql`select *, null::uuid as message_id, 'failed' as previous, null as reason, null as detail from moved`,
      now,
    )}
    ), again as (
      insert into broadcast_again (workspace_id, broadcast_id, contact_id, zone, has_message)
      select ${key.workspaceId}, ${key.id}, contact_id, zone, false from moved
      on conflict (workspace_id, broadcast_id, contact_id) do update set available_at = null, has_message = false
    )
    update broadcast set failed_count = failed_count - (select count(*) from moved)
    where workspace_id = ${key.workspaceId} and id = ${key.id}
    returning (select count(*) from moved) as count,
      (select contact_id from chosen order by contact_id desc limit 1) as last`);
  const { count = 0, last = null } = row ?? {};
  return { count, last: count === limit ? last : null };
}
