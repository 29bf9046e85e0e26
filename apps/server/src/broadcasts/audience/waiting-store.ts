import type { Queryable, Tx } from "../../db/database.ts";
import { sql, type Sql } from "../../db/sql.ts";
import { MAX_ID, NIL_ID } from "../../lib/ids.ts";
import { windowEndColumn } from "./audience-store.ts";
import type { BroadcastKey } from "../record/broadcast-store.ts";
import type { RecipientClaim } from "./recipient.ts";
import { optedOut } from "../../contacts/consent/consent-sql.ts";
import { contactsOf, mergedId } from "../../contacts/record/contact-sql.ts";

/**
 * Waiting recipients. Recipients are claimed in the order of their contacts and under the lock of the campaign's
 * row. So a cursor for each zone tells which have been claimed, and no index needs a status. A recipient that
 * waits behind the cursor is in `broadcast_again`: it was put back, has no slot yet or was reopened. When it stops
 * waiting without being claimed, it is removed there with that change.
 */

/** A waiting recipient, with what can have changed since the audience was stored. */
export interface Waiting extends RecipientClaim {
  readonly optedOut: boolean;
  /** The contact has another number by now than the stored one, which may have opted out too. */
  readonly renumbered: boolean;
  /** Also null when the campaign ignores windows. */
  readonly windowExpiresAt: Date | null;
  /** The contact was deleted meanwhile. */
  readonly gone: boolean;
  /** The row's place in the table: valid as long as the campaign's row is locked. */
  readonly place: string;
}

/** Recipients of one zone that can be claimed: those of `again` come first. */
export interface WaitingOf {
  readonly zone: string;
  readonly again: readonly Waiting[];
  readonly fresh: readonly Waiting[];
  /** Where the cursor moves when they are claimed. */
  readonly taken: string | null;
}

/** Written out, because a partial index serves a prepared statement only by its literal text. */
const ofZone = (zone: string): Sql =>
  zone === "" ? sql`r.zone = ''` : sql`r.zone = ${zone} and r.zone <> ''`;

/** How far zone `zone` of campaign `id` has been claimed. */
const cursorOf = (
  workspaceId: Sql,
  id: Sql,
  zone: Sql,
): Sql => sql`coalesce((select contact_id from broadcast_cursor
  where workspace_id = ${workspaceId} and broadcast_id = ${id} and zone = ${zone} limit 1), ${NIL_ID}::uuid)`;

/**
 * Up to `limit` waiting recipients of a zone, in the order of their contacts. The campaign's row is locked: no
 * other transaction changes the recipients until this one ends, so they need no locks of their own. `windowsOf`:
 * the channel whose reply windows matter, or null. Contacts are looked up one by one, because a campaign begins
 * before the table's statistics know its audience: as a join the planner reads the whole audience for each batch
 * (900 ms at 15,000 recipients; one by one 6 ms). `claimCalls` writes this fence.
 */
export async function selectWaiting(
  tx: Tx,
  key: BroadcastKey,
  windowsOf: string | null,
  limit: number,
  now: Date,
  zone = "",
): Promise<WaitingOf> {
  const { workspaceId, id } = key;
  const window = windowsOf === null ? sql`null::timestamptz` : windowEndColumn(windowsOf);
  const own = sql`r.workspace_id = ${workspaceId} and r.broadcast_id = ${id}`;
  const columns = sql`r.contact_id, r.address, r.content, r.variant, r.message_id, r.fence, r.attempts, r.ctid as place`;
  const claims = (rows: Sql): Promise<Waiting[]> =>
    tx.query<Waiting>(sql`
      select r.contact_id as "contactId", r.address, r.content, r.variant, r.message_id as "messageId",
        r.fence + 1 as fence, r.attempts, r.place::text as place, coalesce(f.opted_out, false) as "optedOut",
        coalesce(f.renumbered, false) as renumbered, f.window_expires_at as "windowExpiresAt", f.opted_out is null as gone
      from (${rows}) r
      left join lateral (select ${optedOut} as opted_out, r.address is distinct from c.phone as renumbered,
          ${window} as window_expires_at from ${contactsOf(workspaceId)} c
        where c.id = any (array[r.contact_id, ${mergedId(workspaceId, sql`r.contact_id`)}]) limit 1) f on true`);
  // Both are sent together; the first nearly always finds nobody.
  const [again, beyond] = await Promise.all([
    claims(sql`
      select r.* from broadcast_again a
      cross join lateral (select ${columns} from broadcast_recipient r
        where ${own} and r.contact_id = a.contact_id and r.status = 'pending' limit 1) r
      where a.workspace_id = ${workspaceId} and a.broadcast_id = ${id} and a.zone = ${zone}
        and (a.available_at is null or a.available_at <= ${now})
      order by a.contact_id limit ${limit}`),
    claims(sql`
      select ${columns} from broadcast_recipient r
      where ${own} and ${ofZone(zone)} and r.status = 'pending'
        and r.contact_id > ${cursorOf(sql`${workspaceId}`, sql`${id}`, sql`${zone}`)}
      order by r.contact_id limit ${limit}`),
  ]);
  const room = limit - again.length;
  const known = new Set(again.map(({ contactId }) => contactId));
  const fresh = beyond.slice(0, room).filter(({ contactId }) => !known.has(contactId));
  // At the end nobody needs to be looked for any more, however many were skipped there.
  const ended = beyond.length < limit && beyond.length <= room;
  const taken = ended ? MAX_ID : (beyond[room - 1]?.contactId ?? null);
  return { zone, again, fresh, taken };
}

/**
 * Of recipients that were found waiting, `left` go on waiting and the others are claimed. The cursor moves behind
 * all of them.
 */
export async function takeWaiting(
  tx: Tx,
  key: BroadcastKey,
  found: WaitingOf,
  left: ReadonlySet<string>,
): Promise<void> {
  const { workspaceId, id } = key;
  const taken = found.again.flatMap(({ contactId }) => (left.has(contactId) ? [] : [contactId]));
  if (taken.length > 0) tx.later(forgetAgain(tx, key, taken));
  const behind = found.fresh.filter(({ contactId }) => left.has(contactId));
  await waitAgain(
    tx,
    key,
    behind.map(({ contactId }) => ({
      contactId,
      zone: found.zone,
      availableAt: null,
      hasMessage: false,
    })),
  );
  if (found.taken === null) return;
  tx.later(
    tx.query(sql`
      insert into broadcast_cursor as c (workspace_id, broadcast_id, zone, contact_id)
      values (${workspaceId}, ${id}, ${found.zone}, ${found.taken})
      on conflict (workspace_id, broadcast_id, zone) do update set contact_id = excluded.contact_id
      where c.contact_id < excluded.contact_id`),
  );
}

/** A recipient that waits behind the cursor. */
export interface Again {
  readonly contactId: string;
  readonly zone: string;
  /** Null: at once. */
  readonly availableAt: Date | null;
  readonly hasMessage: boolean;
}

/** Makes recipients before the cursor wait again, each until its time. */
export async function waitAgain(
  tx: Queryable,
  { workspaceId, id }: BroadcastKey,
  rows: readonly Again[],
): Promise<void> {
  if (rows.length === 0) return;
  await tx.query(sql`
    insert into broadcast_again (workspace_id, broadcast_id, contact_id, zone, available_at, has_message)
    select ${workspaceId}::uuid, ${id}::uuid, * from unnest(${rows.map((row) => row.contactId)}::uuid[],
      ${rows.map((row) => row.zone)}::text[], ${rows.map((row) => row.availableAt)}::timestamptz[],
      ${rows.map((row) => row.hasMessage)}::boolean[])
    on conflict (workspace_id, broadcast_id, contact_id)
      do update set available_at = excluded.available_at, has_message = excluded.has_message`);
}

/** Removes these from the recipients that wait behind the cursor. */
async function forgetAgain(
  tx: Queryable,
  { workspaceId, id }: BroadcastKey,
  contactIds: readonly string[],
): Promise<void> {
  await tx.query(sql`
    delete from broadcast_again where workspace_id = ${workspaceId} and broadcast_id = ${id}
      and contact_id = any (${contactIds}::uuid[])`);
}

/**
 * Recipients that wait beyond the cursors of a campaign's `zones`, one zone after the other, each read with
 * `piece` (over `r`).
 */
export const beyondCursors = (
  workspaceId: Sql,
  id: Sql,
  zones: Sql,
  piece: (from: Sql) => Sql,
): Sql => {
  const beyond = sql`broadcast_recipient r where r.workspace_id = ${workspaceId} and r.broadcast_id = ${id}
    and r.status = 'pending' and r.contact_id > ${cursorOf(workspaceId, id, sql`z.zone`)}`;
  return sql`select r.* from unnest(${zones}) as z (zone)
      cross join lateral (${piece(sql`${beyond} and z.zone = '' and r.zone = ''`)}) r
    union all select r.* from unnest(${zones}) as z (zone)
      cross join lateral (${piece(sql`${beyond} and z.zone <> '' and r.zone = z.zone and r.zone <> ''`)}) r`;
};

const somebody = (from: Sql): Sql => sql`select 1 as one from ${from} limit 1`;

/** True while a recipient of campaign `b` waits, so that pausing it has an effect. */
export const waitingRecipients = sql`(exists (select 1 from broadcast_again a
    where a.workspace_id = b.workspace_id and a.broadcast_id = b.id)
  or exists (${beyondCursors(sql`b.workspace_id`, sql`b.id`, sql`b.zones`, somebody)}))`;

/** True while somebody of these zones could be claimed at `now`. */
export const waitingIn = ({ workspaceId, id }: BroadcastKey, zones: readonly string[], now: Date) =>
  sql`(exists (select 1 from broadcast_again a where a.workspace_id = ${workspaceId} and a.broadcast_id = ${id}
      and a.zone = any (${zones}::text[]) and (a.available_at is null or a.available_at <= ${now}))
    or exists (${beyondCursors(sql`${workspaceId}`, sql`${id}`, sql`${zones}::text[]`, somebody)}))`;

/**
 * When a recipient of these zones is to be tried again: the earliest such time. `busy`: calls are open, and their
 * answers may put a recipient back. Read when no recipient can be claimed now.
 */
export async function selectNextTry(
  tx: Tx,
  key: BroadcastKey,
  zones: readonly string[],
  now: Date,
): Promise<{ readonly next: Date | null; readonly busy: boolean }> {
  const [row] = await tx.query<{ next: Date | null; busy: boolean }>(sql`
    select (select min(coalesce(a.available_at, ${now})) from broadcast_again a where a.workspace_id = ${key.workspaceId}
        and a.broadcast_id = ${key.id} and a.zone = any (${zones}::text[])) as next,
      exists (select 1 from broadcast_flight f where f.workspace_id = ${key.workspaceId}
        and f.broadcast_id = ${key.id}) as busy`);
  return row ?? { next: null, busy: true };
}
