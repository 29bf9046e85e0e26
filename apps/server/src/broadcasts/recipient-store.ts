import type { Queryable, Tx } from "../db/database.ts";
import { sql } from "../db/sql.ts";
import { optedOut, windowEnd } from "./audience-store.ts";
import type { BroadcastKey } from "./broadcast-store.ts";
import { OUTCOME_UNKNOWN, type Claim, type SkipReason } from "./recipient.ts";

/** A recipient that waits, locked, with what can have changed since the audience was stored. */
export interface Waiting extends Claim {
  readonly optedOut: boolean;
  /** Null too when the campaign does not look at windows. */
  readonly windowExpiresAt: Date | null;
  /** The contact was deleted meanwhile. */
  readonly gone: boolean;
}

/**
 * Locks up to `limit` recipients of a zone that wait, in the order of their contacts, passing over those that others hold.
 * `windowsOf`: the channel whose reply windows matter, or null. Contacts are looked up one by one: a campaign begins
 * before the table's statistics know its audience, and as a join the planner then reads all of it for each batch
 * (900 ms at 15,000 recipients, 6 so). The fence is the one that `markCalled` writes.
 */
export function lockPending(
  tx: Tx,
  key: BroadcastKey,
  windowsOf: string | null,
  limit: number,
  now: Date,
  zone = "",
): Promise<Waiting[]> {
  const window = windowsOf === null ? sql`null::timestamptz` : windowEnd(windowsOf);
  return tx.query<Waiting>(sql`
    select r.contact_id as "contactId", r.address, r.content, r.variant, r.message_id as "messageId", r.fence + 1 as fence,
      r.attempts, coalesce(f.opted_out, false) as "optedOut", f.window_expires_at as "windowExpiresAt",
      f.opted_out is null as gone
    from (select contact_id, address, content, variant, message_id, fence, attempts from broadcast_recipient
      where workspace_id = ${key.workspaceId} and broadcast_id = ${key.id} and status = 'pending'
        and zone = ${zone} and (available_at is null or available_at <= ${now})
      order by contact_id limit ${limit} for no key update skip locked) r
    left join lateral (select ${optedOut} as opted_out, ${window} as window_expires_at from contact c
      where c.workspace_id = ${key.workspaceId} and c.id = any (array[r.contact_id, (select a.contact_id
        from contact_alias a where a.workspace_id = ${key.workspaceId} and a.id = r.contact_id)]) limit 1) f on true`);
}

/** True while a recipient waits or is with a worker: the campaign is not complete. */
export const openRecipients = sql`exists (select 1 from broadcast_recipient r where r.workspace_id = b.workspace_id
  and r.broadcast_id = b.id and r.status in ('pending', 'sending'))`;

/**
 * The intent to call, committed before the first byte leaves. The rows are locked: they are found by key first and
 * written at their place. As a join the planner reads the campaign's whole audience (44 ms a batch), or, once the
 * statement is planned for any list, goes through the list once for each recipient: 65,536 comparisons a batch.
 */
export async function markCalled(
  tx: Tx,
  key: BroadcastKey,
  calls: readonly { readonly claim: Claim; readonly messageId: string }[],
  now: Date,
): Promise<void> {
  await tx.query(sql`
    update broadcast_recipient r set status = 'sending', fence = r.fence + 1, called_at = ${now},
      message_id = f.message_id
    from (select t.message_id, p.place
      from unnest(${calls.map((call) => call.claim.contactId)}::uuid[], ${calls.map((call) => call.messageId)}::uuid[])
        as t (contact_id, message_id)
      cross join lateral (select ctid as place from broadcast_recipient where workspace_id = ${key.workspaceId}
        and broadcast_id = ${key.id} and contact_id = t.contact_id limit 1) p) f
    where r.ctid = f.place`);
}

/** True while a recipient waits: pausing the campaign holds something back. */
export const waitingRecipients = sql`exists (select 1 from broadcast_recipient r where r.workspace_id = b.workspace_id
  and r.broadcast_id = b.id and r.status = 'pending')`;

export interface PutBack {
  readonly claim: Claim;
  /** Null: at once. */
  readonly availableAt: Date | null;
  /** True when a call was made and came back: it counts against the tries. */
  readonly tried: boolean;
}

/** Puts recipients that were not called after all back to wait. Whose fate was settled meanwhile (the fence) is left alone. */
export async function putBack(
  tx: Queryable,
  key: BroadcastKey,
  items: readonly PutBack[],
): Promise<void> {
  if (items.length === 0) return;
  await tx.query(sql`
    update broadcast_recipient r set status = 'pending', called_at = null,
      available_at = t.available_at, attempts = r.attempts + t.tried
    from unnest(${items.map((item) => item.claim.contactId)}::uuid[],
      ${items.map((item) => item.claim.fence)}::integer[], ${items.map((item) => item.availableAt)}::timestamptz[],
      ${items.map((item) => (item.tried ? 1 : 0))}::integer[]) as t (contact_id, fence, available_at, tried)
    where r.workspace_id = ${key.workspaceId} and r.broadcast_id = ${key.id} and r.contact_id = t.contact_id
      and r.fence = t.fence and r.status = 'sending'`);
}

/** Skips recipients that wait and counts them, in one statement. The rows are locked. */
export async function skipWaiting(
  tx: Tx,
  key: BroadcastKey,
  items: readonly { readonly claim: Claim; readonly reason: SkipReason }[],
  now: Date,
): Promise<void> {
  if (items.length === 0) return;
  await tx.query(sql`
    with moved as (
      update broadcast_recipient r set status = 'skipped', reason = t.reason, settled_at = ${now}
      from unnest(${items.map((item) => item.claim.contactId)}::uuid[], ${items.map((item) => item.reason)}::text[])
        as t (contact_id, reason)
      where r.workspace_id = ${key.workspaceId} and r.broadcast_id = ${key.id} and r.contact_id = t.contact_id
        and r.status = 'pending'
      returning 1
    )
    update broadcast set skipped_count = skipped_count + (select count(*) from moved)
    where workspace_id = ${key.workspaceId} and id = ${key.id}`);
}

/** A message of a campaign whose status is known. */
export interface RecipientMove {
  readonly workspaceId: string;
  readonly messageId: string;
  readonly to: "sent" | "delivered" | "read" | "failed";
  readonly code: string | null;
  readonly detail: string | null;
}

/**
 * Moves recipients as their messages moved, and the counts of their campaigns by what that changes. Repeating it changes
 * nothing. Recipients are looked up one by one, by message and then by key in the order of locks: as a join the planner
 * reads the recipients of all campaigns, and with a condition on the status it took the index of addresses while the
 * table had no statistics, which is all of the campaign for each of them (2 s a batch among 10,000). Campaign rows are
 * locked in order, so that batches over several do not wait in a circle.
 */
export async function moveRecipients(
  tx: Tx,
  moves: readonly RecipientMove[],
  now: Date,
): Promise<void> {
  const workspaceIds = moves.map((move) => move.workspaceId);
  const messageIds = moves.map((move) => move.messageId);
  // Locked in the order of keys first, so that the rows are written at the place where the next statement sees them.
  tx.later(
    tx.query(sql`
      select from (
        select f.* from unnest(${workspaceIds}::uuid[], ${messageIds}::uuid[]) as i (workspace_id, message_id)
        cross join lateral (select workspace_id, broadcast_id, contact_id from broadcast_recipient
          where workspace_id = i.workspace_id and message_id = i.message_id limit 1) f
        order by f.workspace_id, f.broadcast_id, f.contact_id
      ) p cross join lateral (
        select from broadcast_recipient
        where workspace_id = p.workspace_id and broadcast_id = p.broadcast_id and contact_id = p.contact_id
        for no key update
      ) l`),
  );
  await tx.query(sql`
    with old as (
      select f.*, i.target, i.code, i.detail
      from unnest(${workspaceIds}::uuid[], ${messageIds}::uuid[], ${moves.map((move) => move.to)}::text[],
        ${moves.map((move) => move.code)}::text[], ${moves.map((move) => move.detail)}::text[])
        as i (workspace_id, message_id, target, code, detail)
      cross join lateral (
        select ctid as place, status, reason from broadcast_recipient
        where workspace_id = i.workspace_id and message_id = i.message_id limit 1
      ) f
      where f.status not in ('skipped', i.target)
        and (i.target <> 'sent' or f.status in ('pending', 'sending') or f.reason = ${OUTCOME_UNKNOWN})
    ), moved as (
      update broadcast_recipient r set status = o.target, settled_at = ${now},
        reason = case when o.target = 'failed' then o.code end,
        detail = case when o.target = 'failed' then o.detail end
      from old o where r.ctid = o.place
      returning r.workspace_id, r.broadcast_id, o.status as was, r.status as became
    ), change as (
      select workspace_id, broadcast_id as id,
        sum((became in ('sent', 'delivered', 'read'))::int - (was in ('sent', 'delivered', 'read'))::int) as sent,
        sum((became in ('delivered', 'read'))::int - (was in ('delivered', 'read'))::int) as delivered,
        sum((became = 'read')::int - (was = 'read')::int) as read,
        sum((became = 'failed')::int - (was = 'failed')::int) as failed
      from moved group by workspace_id, broadcast_id
    ), locked as (
      select b.workspace_id, b.id from broadcast b join change using (workspace_id, id)
      order by b.workspace_id, b.id for no key update of b
    ), became as (
      select workspace_id, broadcast_id as id,
        count(*) filter (where became in ('sent', 'delivered', 'read') and was not in ('sent', 'delivered', 'read')) as sent,
        count(*) filter (where became in ('delivered', 'read') and was not in ('delivered', 'read')) as delivered,
        count(*) filter (where became = 'read') as read, count(*) filter (where became = 'failed') as failed
      from moved group by workspace_id, broadcast_id
    ), charted as (
      -- Under the lock of the campaign's row, so that two batches do not wait in a circle.
      insert into broadcast_minute as n (workspace_id, broadcast_id, minute, sent, delivered, read, failed)
      select workspace_id, id, date_trunc('minute', ${now}::timestamptz, 'UTC'), sent, delivered, read, failed
      from became join locked using (workspace_id, id)
      on conflict (workspace_id, broadcast_id, minute) do update set sent = n.sent + excluded.sent,
        delivered = n.delivered + excluded.delivered, read = n.read + excluded.read, failed = n.failed + excluded.failed
    )
    update broadcast b set sent_count = b.sent_count + c.sent, delivered_count = b.delivered_count + c.delivered,
      read_count = b.read_count + c.read, failed_count = b.failed_count + c.failed
    from change c join locked l using (workspace_id, id)
    where b.workspace_id = c.workspace_id and b.id = c.id`);
}

export interface OpenMessage {
  readonly workspaceId: string;
  readonly messageId: string;
  /** Null: SMS. */
  readonly channelId: string | null;
}

const open = sql`select r.workspace_id as "workspaceId", r.message_id as "messageId", b.channel_id as "channelId"
  from broadcast_recipient r join broadcast b on b.workspace_id = r.workspace_id and b.id = r.broadcast_id`;
const itsMessage = sql`select from message m where m.workspace_id = r.workspace_id and m.id = r.message_id`;

/** Calls whose answer was lost and of which the platform has told us since: it gave the message an id. */
export function selectHeard(tx: Tx, limit: number): Promise<OpenMessage[]> {
  return tx.query<OpenMessage>(sql`
    ${open} where r.status = 'sending' and r.called_at is not null
      and exists (${itsMessage} and m.provider_message_id is not null and m.status <> 'failed')
    order by r.workspace_id, r.message_id limit ${limit}`);
}

/** Calls begun before `before` of which nothing was heard. */
export function selectUnheard(tx: Tx, before: Date, limit: number): Promise<OpenMessage[]> {
  return tx.query<OpenMessage>(sql`
    ${open} where r.status = 'sending' and r.called_at <= ${before}
      and exists (${itsMessage} and m.provider_message_id is null)
    order by r.workspace_id, r.message_id limit ${limit}`);
}

/** Messages of cancelled campaigns that wait for another try that will not come. */
export function selectAbandoned(tx: Tx, limit: number): Promise<OpenMessage[]> {
  return tx.query<OpenMessage>(sql`
    ${open} where r.status = 'pending' and r.message_id is not null and b.status = 'CANCELLED'
    order by r.workspace_id, r.message_id limit ${limit}`);
}

/** Puts recipients that ended without a known outcome back to wait, with a new message and slot; gives how many. */
export async function reopenUnknown(
  tx: Tx,
  key: BroadcastKey,
  contactIds: readonly string[] | null,
): Promise<number> {
  const chosen = contactIds === null ? sql`true` : sql`r.contact_id = any (${contactIds}::uuid[])`;
  const [row] = await tx.query<{ count: number }>(sql`
    with moved as (
      update broadcast_recipient r set status = 'pending', reason = null, detail = null, message_id = null,
        called_at = null, settled_at = null, available_at = null, attempts = 0
      where r.workspace_id = ${key.workspaceId} and r.broadcast_id = ${key.id} and r.status = 'failed'
        and r.reason = ${OUTCOME_UNKNOWN} and ${chosen}
      returning 1
    )
    update broadcast set failed_count = failed_count - (select count(*) from moved)
    where workspace_id = ${key.workspaceId} and id = ${key.id} returning (select count(*) from moved) as count`);
  return row?.count ?? 0;
}
