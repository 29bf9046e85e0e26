import type { Queryable, Tx } from "../../db/database.ts";
import { sql } from "../../db/sql.ts";
import type { BroadcastKey } from "../record/broadcast-store.ts";
import { messageAt } from "../../messages/record/message-sql.ts";

/**
 * Removes a batch whose last answer is stored. `certain`: every call was sent, so none of its recipients can be
 * sending. Else it stays, for the sweep, while one is.
 */
export async function endFlight(
  tx: Queryable,
  key: BroadcastKey,
  flightId: string,
  certain: boolean,
): Promise<void> {
  await tx.query(sql`
    delete from broadcast_flight f where f.workspace_id = ${key.workspaceId} and f.broadcast_id = ${key.id}
      and f.id = ${flightId} and (${certain}::boolean or not ${someoneSending})`);
}

/** Removes batches without a sending recipient: their worker died, or a lost answer was given up. */
export async function endFlights(tx: Queryable): Promise<void> {
  await tx.query(sql`delete from broadcast_flight f where not ${someoneSending}`);
}

const someoneSending = sql`exists (select 1 from unnest(f.contact_ids) as k (contact_id)
  cross join lateral (select status from broadcast_recipient where workspace_id = f.workspace_id
    and broadcast_id = f.broadcast_id and contact_id = k.contact_id limit 1) r
  where r.status = 'sending')`;

/**
 * Stores the intent to make the first `upTo` calls of a batch. No call begins before it is committed. False: the batch was
 * cut (`cutFlights`), and these calls must not be made.
 */
export async function intendCalls(
  db: Queryable,
  key: BroadcastKey,
  flightId: string,
  upTo: number,
): Promise<boolean> {
  const rows = await db.query(sql`
    update broadcast_flight set begun = ${upTo}
    where workspace_id = ${key.workspaceId} and broadcast_id = ${key.id} and id = ${flightId}
      and cardinality(contact_ids) >= ${upTo}
    returning 1`);
  return rows.length > 0;
}

/** Which batches: those of a process, or those that were claimed before a time. */
export type FlightsOf = { readonly processId: string } | { readonly before: Date };

const flightsOf = (of: FlightsOf) =>
  "before" in of ? sql`called_at <= ${of.before}` : sql`process_id = ${of.processId}`;
const unbegun = sql`begun < cardinality(contact_ids)`;

/** Campaigns with calls that have not begun, of these batches. */
export function selectUnbegun(tx: Tx, of: FlightsOf): Promise<BroadcastKey[]> {
  return tx.query<BroadcastKey>(sql`
    select distinct workspace_id as "workspaceId", broadcast_id as id from broadcast_flight
    where ${flightsOf(of)} and ${unbegun}`);
}

/**
 * Cuts the calls that have not begun from these batches: from then on their worker cannot begin them (`intendCalls`), and
 * others may. Gives their recipients that are still sending. The campaign is locked. A recipient that another batch of the campaign names too is
 * left: it was put back and claimed again, and its call may have begun there.
 */
export function cutFlights(
  tx: Tx,
  key: BroadcastKey,
  of: FlightsOf,
): Promise<{ contactId: string; fence: number }[]> {
  return tx.query(sql`
    with flight as (
      select id, begun, contact_ids from broadcast_flight
      where workspace_id = ${key.workspaceId} and broadcast_id = ${key.id} and ${flightsOf(of)} and ${unbegun}
      for update
    ), cut as (
      update broadcast_flight f set contact_ids = o.contact_ids[1:o.begun] from flight o
      where f.workspace_id = ${key.workspaceId} and f.broadcast_id = ${key.id} and f.id = o.id
    )
    select r.contact_id as "contactId", r.fence from flight o
    cross join lateral unnest(o.contact_ids[o.begun + 1:]) as k (contact_id)
    cross join lateral (select contact_id, fence, status from broadcast_recipient
      where workspace_id = ${key.workspaceId} and broadcast_id = ${key.id} and contact_id = k.contact_id limit 1) r
    where r.status = 'sending' and not exists (select 1 from broadcast_flight g
      where g.workspace_id = ${key.workspaceId} and g.broadcast_id = ${key.id} and g.id <> o.id
        and g.contact_ids @> array[k.contact_id])`);
}

/** A message whose outcome is still unknown, with its recipient. */
export interface OpenMessage {
  readonly workspaceId: string;
  readonly broadcastId: string;
  readonly contactId: string;
  readonly messageId: string;
  /** Null: SMS. */
  readonly channelId: string | null;
}

const columns = sql`b.workspace_id as "workspaceId", b.id as "broadcastId", r.contact_id as "contactId",
  r.message_id as "messageId", b.channel_id as "channelId"`;

/** Recipients `r` of flights that are sending, with their campaigns `b`. */
const sending = sql`select distinct on (r.message_id) ${columns}
  from broadcast_flight f join broadcast b on b.workspace_id = f.workspace_id and b.id = f.broadcast_id
  cross join lateral unnest(f.contact_ids) as k (contact_id)
  cross join lateral (select contact_id, message_id, status, called_at from broadcast_recipient
    where workspace_id = f.workspace_id and broadcast_id = f.broadcast_id and contact_id = k.contact_id limit 1) r
  cross join lateral ${messageAt(sql`f.workspace_id`, sql`r.message_id`)} m`;

/** Calls with a lost answer whose message the platform has named by an id since. */
export function selectHeard(tx: Tx, limit: number): Promise<OpenMessage[]> {
  return tx.query<OpenMessage>(sql`
    ${sending} where r.status = 'sending' and r.called_at is not null
      and m.provider_message_id is not null and m.status <> 'failed'
    order by r.message_id limit ${limit}`);
}

/** Calls begun before `before` of which the platform has reported nothing. */
export function selectUnheard(tx: Tx, before: Date, limit: number): Promise<OpenMessage[]> {
  return tx.query<OpenMessage>(sql`
    ${sending} where f.called_at <= ${before} and r.status = 'sending' and r.called_at <= ${before}
      and m.provider_message_id is null
    order by r.message_id limit ${limit}`);
}

/**
 * Some messages of cancelled campaigns that wait for another try, which will not come; in the order of locks. Not
 * the first in that order over all campaigns, because each batch would read all that are left (of 20,000: 140,000
 * pages for 500).
 */
export function selectAbandoned(tx: Tx, limit: number): Promise<OpenMessage[]> {
  return tx.query<OpenMessage>(sql`
    select * from (select ${columns} from broadcast_again a
    join broadcast b on b.workspace_id = a.workspace_id and b.id = a.broadcast_id and b.status = 'CANCELLED'
    cross join lateral (select contact_id, message_id, status from broadcast_recipient
      where workspace_id = a.workspace_id and broadcast_id = a.broadcast_id and contact_id = a.contact_id limit 1) r
    where a.has_message and r.status = 'pending' and r.message_id is not null limit ${limit}) one
    order by "workspaceId", "messageId"`);
}

/** Campaigns with a batch whose calls began after `latest`, which only a wrong clock can have written. */
export function selectFuture(tx: Tx, latest: Date): Promise<BroadcastKey[]> {
  return tx.query<BroadcastKey>(sql`
    select distinct workspace_id as "workspaceId", broadcast_id as id from broadcast_flight
    where called_at > ${latest}`);
}

/** Makes such calls count as begun now. Their campaigns are locked. Gives how many batches. */
export async function callNow(
  tx: Tx,
  keys: readonly BroadcastKey[],
  latest: Date,
  now: Date,
): Promise<number> {
  const rows = await tx.query(sql`
    with flight as (
      update broadcast_flight f set called_at = ${now}
      from unnest(${keys.map((key) => key.workspaceId)}::uuid[], ${keys.map((key) => key.id)}::uuid[])
        as k (workspace_id, broadcast_id)
      where f.workspace_id = k.workspace_id and f.broadcast_id = k.broadcast_id and f.called_at > ${latest}
      returning f.workspace_id, f.broadcast_id, f.contact_ids
    ), called as (
      update broadcast_recipient r set called_at = ${now}
      from (select p.place from flight f cross join lateral unnest(f.contact_ids) as k (contact_id)
        cross join lateral (select ctid as place, status, called_at from broadcast_recipient
          where workspace_id = f.workspace_id and broadcast_id = f.broadcast_id and contact_id = k.contact_id limit 1) p
        where p.status = 'sending' and p.called_at > ${latest}) s
      where r.ctid = s.place
    )
    select 1 from flight`);
  return rows.length;
}
