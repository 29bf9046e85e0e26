import type { Queryable, Tx } from "../db/database.ts";
import { sql } from "../db/sql.ts";
import { optedOut, windowEnd } from "./audience-store.ts";
import type { BroadcastKey } from "./broadcast-store.ts";
import { LEASE_MS, OUTCOME_UNKNOWN, type Claim, type SkipReason } from "./recipient.ts";

/**
 * Takes up to `limit` recipients that wait, in the order of their contacts, passing over those that others hold. The
 * rows are named by their place, which leaves the planner no choice: a campaign begins before the table's statistics
 * know its audience, and by key it then read all of it for each batch (900 ms at 15,000 recipients, 6 so). A row that
 * moved between the statement's start and its lock is passed over and claimed the next time.
 */
export function claimPending(
  tx: Tx,
  key: BroadcastKey,
  limit: number,
  now: Date,
): Promise<Claim[]> {
  return tx.query<Claim>(sql`
    update broadcast_recipient r set status = 'sending', fence = r.fence + 1, called_at = null,
      lease_until = ${new Date(now.getTime() + LEASE_MS)}
    where r.ctid = any (array(
        select ctid from broadcast_recipient
        where workspace_id = ${key.workspaceId} and broadcast_id = ${key.id} and status = 'pending'
          and (available_at is null or available_at <= ${now})
        order by contact_id limit ${limit} for no key update skip locked))
    returning r.contact_id as "contactId", r.address, r.content, r.message_id as "messageId", r.fence, r.attempts`);
}

/** True while a recipient waits or is with a worker: the campaign is not complete. */
export const openRecipients = sql`exists (select 1 from broadcast_recipient r where r.workspace_id = b.workspace_id
  and r.broadcast_id = b.id and r.status in ('pending', 'sending'))`;

export interface Fitness {
  readonly contactId: string;
  readonly optedOut: boolean;
  /** Null too when the channel has no windows for this campaign (`channelId` was null). */
  readonly windowExpiresAt: Date | null;
}

/**
 * The claims that still hold, with what can have changed since the audience was stored. Empty unless it still runs.
 * `windowsOf`: the channel whose reply windows matter, or null.
 */
export function selectFitness(
  tx: Tx,
  key: BroadcastKey,
  windowsOf: string | null,
  claims: readonly Claim[],
  now: Date,
): Promise<Fitness[]> {
  return tx.query<Fitness>(sql`
    select c.id as "contactId", ${optedOut} as "optedOut", ${windowsOf === null ? sql`null::timestamptz` : windowEnd(windowsOf)} as "windowExpiresAt"
    from unnest(${claims.map((claim) => claim.contactId)}::uuid[], ${claims.map((claim) => claim.fence)}::integer[])
      as t (contact_id, fence)
    join broadcast b on b.workspace_id = ${key.workspaceId} and b.id = ${key.id} and b.status = 'RUNNING'
    join broadcast_recipient r on r.workspace_id = b.workspace_id and r.broadcast_id = b.id
      and r.contact_id = t.contact_id and r.fence = t.fence and r.status = 'sending' and r.called_at is null
      and r.lease_until > ${now}
    join contact c on c.workspace_id = b.workspace_id and c.id = r.contact_id`);
}

/** Commits the intent to call. Gives the contacts whose claim still held; anyone missing must not be called. */
export async function markCalled(
  tx: Tx,
  key: BroadcastKey,
  calls: readonly { readonly claim: Claim; readonly messageId: string }[],
  now: Date,
): Promise<Set<string>> {
  const rows = await tx.query<{ id: string }>(sql`
    update broadcast_recipient r set called_at = ${now}, message_id = t.message_id
    from unnest(${calls.map((call) => call.claim.contactId)}::uuid[],
      ${calls.map((call) => call.claim.fence)}::integer[],
      ${calls.map((call) => call.messageId)}::uuid[]) as t (contact_id, fence, message_id)
    where r.workspace_id = ${key.workspaceId} and r.broadcast_id = ${key.id} and r.contact_id = t.contact_id
      and r.fence = t.fence and r.status = 'sending' and r.called_at is null
    returning r.contact_id as id`);
  return new Set(rows.map((row) => row.id));
}

export interface PutBack {
  readonly claim: Claim;
  /** Null: at once. */
  readonly availableAt: Date | null;
  /** True when a call was made and came back: it counts against the tries. */
  readonly tried: boolean;
}

/** Puts held recipients back to wait. A claim that was lost meanwhile (the fence) is left alone. */
export async function putBack(
  tx: Queryable,
  key: BroadcastKey,
  items: readonly PutBack[],
): Promise<void> {
  if (items.length === 0) return;
  await tx.query(sql`
    update broadcast_recipient r set status = 'pending', called_at = null, lease_until = null,
      available_at = t.available_at, attempts = r.attempts + t.tried
    from unnest(${items.map((item) => item.claim.contactId)}::uuid[],
      ${items.map((item) => item.claim.fence)}::integer[], ${items.map((item) => item.availableAt)}::timestamptz[],
      ${items.map((item) => (item.tried ? 1 : 0))}::integer[]) as t (contact_id, fence, available_at, tried)
    where r.workspace_id = ${key.workspaceId} and r.broadcast_id = ${key.id} and r.contact_id = t.contact_id
      and r.fence = t.fence and r.status = 'sending'`);
}

/** Skips held recipients and counts them, in one statement. */
export async function skipHeld(
  tx: Tx,
  key: BroadcastKey,
  items: readonly { readonly claim: Claim; readonly reason: SkipReason }[],
  now: Date,
): Promise<void> {
  if (items.length === 0) return;
  await tx.query(sql`
    with moved as (
      update broadcast_recipient r set status = 'skipped', reason = t.reason, lease_until = null, settled_at = ${now}
      from unnest(${items.map((item) => item.claim.contactId)}::uuid[],
        ${items.map((item) => item.claim.fence)}::integer[], ${items.map((item) => item.reason)}::text[])
        as t (contact_id, fence, reason)
      where r.workspace_id = ${key.workspaceId} and r.broadcast_id = ${key.id} and r.contact_id = t.contact_id
        and r.fence = t.fence and r.status = 'sending' and r.called_at is null
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
 * Moves recipients as their messages moved, and the counts of their campaigns by what that changes, in one statement.
 * Repeating it changes nothing. Campaign rows are locked in order, so that batches over several do not wait in a circle.
 */
export async function moveRecipients(
  tx: Tx,
  moves: readonly RecipientMove[],
  now: Date,
): Promise<void> {
  await tx.query(sql`
    with item as (
      select * from unnest(${moves.map((move) => move.workspaceId)}::uuid[],
        ${moves.map((move) => move.messageId)}::uuid[], ${moves.map((move) => move.to)}::text[],
        ${moves.map((move) => move.code)}::text[], ${moves.map((move) => move.detail)}::text[])
        as t (workspace_id, message_id, target, code, detail)
    ), old as (
      select r.workspace_id, r.broadcast_id, r.contact_id, r.status, i.target, i.code, i.detail
      from item i join broadcast_recipient r using (workspace_id, message_id)
      where r.status not in ('skipped', i.target)
        and (i.target <> 'sent' or r.status in ('pending', 'sending') or r.reason = ${OUTCOME_UNKNOWN})
      order by r.workspace_id, r.broadcast_id, r.contact_id for no key update of r
    ), moved as (
      update broadcast_recipient r set status = o.target, lease_until = null, settled_at = ${now},
        reason = case when o.target = 'failed' then o.code end,
        detail = case when o.target = 'failed' then o.detail end
      from old o where r.workspace_id = o.workspace_id and r.broadcast_id = o.broadcast_id
        and r.contact_id = o.contact_id
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
    )
    update broadcast b set sent_count = b.sent_count + c.sent, delivered_count = b.delivered_count + c.delivered,
      read_count = b.read_count + c.read, failed_count = b.failed_count + c.failed
    from change c join locked l using (workspace_id, id)
    where b.workspace_id = c.workspace_id and b.id = c.id`);
}

/** Claims that no call followed and whose lease ended go back to wait: nothing left, so it is safe. */
export async function releaseExpired(db: Queryable, now: Date): Promise<number> {
  const rows = await db.query(sql`
    with expired as (
      select workspace_id, broadcast_id, contact_id from broadcast_recipient
      where status = 'sending' and lease_until <= ${now} and called_at is null limit 1000
      for no key update skip locked
    )
    update broadcast_recipient r set status = 'pending', lease_until = null, available_at = null from expired e
    where r.workspace_id = e.workspace_id and r.broadcast_id = e.broadcast_id and r.contact_id = e.contact_id
    returning 1`);
  return rows.length;
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
