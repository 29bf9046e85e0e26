import type { ConsentEntry } from "./consent-history.ts";
import type { Queryable, Tx } from "../../db/database.ts";
import { sql } from "../../db/sql.ts";
import { SPELLINGS } from "../identity/other-spelling.ts";
import { optedOut } from "./consent-sql.ts";
import type { ConsentChange } from "./set-consent.ts";

/** A contact that a change reaches. `asked` is the change's place in the list, from 1. */
export interface LockedRow {
  workspace_id: string;
  id: string;
  phone: string | null;
  opted_out_at: Date | null;
  asked: number;
}

const PATTERNS = SPELLINGS.flatMap(({ head, digit, rest }) => [
  { pattern: `^(${head})${digit}(${rest})$`, other: "\\1\\2" },
  { pattern: `^(${head})(${rest})$`, other: `\\1${digit}\\2` },
]);
/** `otherSpelling` for a column `phone`, in SQL. */
const otherSpelling = sql`(select regexp_replace(phone, pattern, other)
  from unnest(${PATTERNS.map((one) => one.pattern)}::text[], ${PATTERNS.map((one) => one.other)}::text[]) as f (pattern, other)
  where phone ~ pattern limit 1)`;

/**
 * Locks the contacts that are named by id (a merged contact's id too) or by number, and every contact that shares
 * a number with them. Uses laterals with an order, which the planner cannot turn into joins: with joins, before
 * the first statistics, it read all contacts of the workspace for each (913 pages a change among 4,000, now 36).
 * No contact's key changes, so a transaction that stores a row that refers to a contact does not wait.
 */
export function lockAffected(tx: Tx, changes: readonly ConsentChange[]): Promise<LockedRow[]> {
  return tx.query<LockedRow>(sql`
    with given as materialized (
      select g.workspace_id, coalesce(a.contact_id, g.id) as id, g.phone, g.n
      from unnest(${changes.map((c) => c.workspaceId)}::uuid[], ${changes.map((c) => c.contactId)}::uuid[],
        ${changes.map((c) => c.phone ?? null)}::text[]) with ordinality as g (workspace_id, id, phone, n)
      left join lateral (select contact_id from contact_alias
        where workspace_id = g.workspace_id and id = g.id limit 1) a on true
    ), asked as materialized (
      select c.workspace_id, c.id, c.phone, g.n from given g
      cross join lateral (select workspace_id, id, phone from contact
        where workspace_id = g.workspace_id and id = g.id limit 1) c
    ), number as materialized (
      select workspace_id, spelling as phone, min(n) as n from (
        select workspace_id, phone, n from asked union all select workspace_id, phone, n from given) as both_ways
      cross join lateral (values (phone), (${otherSpelling})) as s (spelling)
      where spelling is not null group by workspace_id, spelling
    ), affected as materialized (
      select workspace_id, id, min(n) as n from (
        select workspace_id, id, n from asked
        union all
        select u.workspace_id, c.id, u.n from number u
        cross join lateral (select id from contact where workspace_id = u.workspace_id
          and phone = u.phone order by phone) c
      ) as both_ways group by workspace_id, id
    )
    select c.workspace_id, c.id, c.phone, c.opted_out_at, a.n::int as asked
    from (select * from affected order by workspace_id, id) a
    cross join lateral (select * from contact where workspace_id = a.workspace_id and id = a.id for no key update) c`);
}

/** Writes the consent of contacts, which must be locked. Gives them as they are now. */
export function updateConsent(
  tx: Tx,
  due: readonly {
    readonly workspaceId: string;
    readonly id: string;
    readonly change: ConsentChange;
  }[],
  optedOut: boolean,
): Promise<{ workspace_id: string; id: string; document: string }[]> {
  return tx.query(sql`
    update contact c set opted_out_at = case when ${optedOut} then d.at end, updated_at = d.at
    from unnest(${due.map((row) => row.workspaceId)}::uuid[], ${due.map((row) => row.id)}::uuid[],
      ${due.map((row) => row.change.at)}::timestamptz[]) as d (workspace_id, id, at)
    where c.workspace_id = d.workspace_id and c.id = d.id
    returning c.workspace_id, c.id, c.document`);
}

/**
 * Contacts with another consent than their number: one got a number, or contact and opt-out were stored at the
 * same moment.
 */
export function selectUneven(
  db: Queryable,
  where: { readonly workspaceId: string; readonly contactIds: readonly string[] },
): Promise<{ id: string }[]> {
  return db.query(sql`
    select c.id from contact c
    left join opted_out_phone o on o.workspace_id = c.workspace_id and o.phone = c.phone
    where c.workspace_id = ${where.workspaceId} and c.id = any(${where.contactIds}::uuid[])
      and c.phone is not null and (c.opted_out_at is null) <> (o.phone is null)
    order by c.id`);
}

/** Those of the contacts that opted out, or whose number did. */
export function selectOptedOut(
  tx: Tx,
  contacts: readonly { readonly workspaceId: string; readonly contactId: string }[],
): Promise<{ id: string }[]> {
  return tx.query(sql`
    select c.id from unnest(${contacts.map((one) => one.workspaceId)}::uuid[],
      ${contacts.map((one) => one.contactId)}::uuid[]) as k (workspace_id, id)
    cross join lateral (select * from contact where workspace_id = k.workspace_id and id = k.id limit 1) c
    where ${optedOut}`);
}

/** Contacts that are not opted out although their number has been since `since`. */
export function selectMissed(
  db: Queryable,
  since: Date,
  limit: number,
): Promise<{ workspaceId: string; id: string }[]> {
  return db.query(sql`
    select c.workspace_id as "workspaceId", c.id
    from opted_out_phone o cross join lateral (select workspace_id, id from contact
      where workspace_id = o.workspace_id and phone = o.phone and opted_out_at is null
      order by phone) c
    where o.since >= ${since} limit ${limit}`);
}

/** Entries that are a customer's own opt-out, or that lifted an opt-out. */
const decides = sql`(case when opted_out then by_customer or source in ('stop_word', 'platform') else not held end)`;

/** The newest entry that decides, of each contact (with those merged into it) and each number as it is stored. */
export function selectNewestWishes(
  tx: Tx,
  keys: readonly {
    readonly place: number;
    readonly workspaceId: string;
    readonly contactId: string | null;
    readonly phone: string | null;
  }[],
): Promise<{ place: number; id: string; optedOut: boolean; source: string }[]> {
  const column = <K extends keyof (typeof keys)[number]>(name: K) => keys.map((key) => key[name]);
  return tx.query(sql`
    with given as (select * from unnest(${column("place")}::int[], ${column("workspaceId")}::uuid[],
        ${column("contactId")}::uuid[], ${column("phone")}::text[]) as g (place, workspace_id, contact_id, phone)
    ), person as (
      select place, workspace_id, contact_id from given where contact_id is not null
      union all
      select g.place, g.workspace_id, a.id from given g cross join lateral (select id from contact_alias
        where workspace_id = g.workspace_id and contact_id = g.contact_id) a
    )
    select p.place, e.id, e.opted_out as "optedOut", e.source from person p
    cross join lateral (select id, opted_out, source from consent_entry where workspace_id = p.workspace_id
      and contact_id = p.contact_id and ${decides} order by id desc limit 1) e
    union all
    select g.place, e.id, e.opted_out, e.source from given g
    cross join lateral (select id, opted_out, source from consent_entry where workspace_id = g.workspace_id
      and phone = g.phone and ${decides} order by id desc limit 1) e
    where g.phone is not null`);
}

/**
 * The places of those whose ledger says that they returned later than `at`: by their own word, or by evidence of it. A
 * contact's merged ones count. Times are compared in seconds, as platforms give them.
 */
export async function selectReturned(
  tx: Tx,
  people: readonly {
    readonly place: number;
    readonly workspaceId: string;
    readonly contactId: string;
    readonly at: Date;
  }[],
): Promise<readonly number[]> {
  if (people.length === 0) return [];
  const column = <K extends keyof (typeof people)[number]>(name: K) =>
    people.map((one) => one[name]);
  const rows = await tx.query<{ place: number }>(sql`
    with given as (select * from unnest(${column("place")}::int[], ${column("workspaceId")}::uuid[],
        ${column("contactId")}::uuid[], ${column("at")}::timestamptz[]) as g (place, workspace_id, contact_id, at)
    ), person as (
      select place, workspace_id, contact_id, at from given
      union all
      select g.place, g.workspace_id, a.id, g.at from given g cross join lateral (select id from contact_alias
        where workspace_id = g.workspace_id and contact_id = g.contact_id) a
    )
    select distinct p.place from person p
    cross join lateral (select 1 from consent_entry where workspace_id = p.workspace_id
      and contact_id = p.contact_id and not opted_out and not held
      and (by_customer or source in ('stop_word', 'platform') or evidence is not null)
      and date_trunc('second', created_at) > date_trunc('second', p.at) limit 1) e`);
  return rows.map(({ place }) => place);
}

/** An entry with its id: ids are in the order of the ledger. */
export interface LedgerEntry extends ConsentEntry {
  readonly id: string;
}

export interface LedgerPart {
  readonly newest: number | null;
  readonly below: string;
  readonly held: boolean;
}

/**
 * The ledger of a contact and its number, oldest first; with `newest` only the last so many entries with ids below
 * `below`, and with `held` also tries that changed nothing. `erased`: how the number is written in entries of erased people.
 */
export function selectConsentHistory(
  db: Queryable,
  workspaceId: string,
  id: string | null,
  phone: string | null,
  erased: readonly string[],
  { newest, below, held }: LedgerPart,
): Promise<LedgerEntry[]> {
  return db.query<LedgerEntry>(sql`
    with person as (
      select coalesce((select contact_id from contact_alias where workspace_id = ${workspaceId} and id = ${id}::uuid),
        ${id}::uuid) as id
    ), known as (
      select id from person where id is not null
      union select a.id from contact_alias a join person p on a.workspace_id = ${workspaceId} and a.contact_id = p.id
    ), number as (
      select ${phone}::text as phone
      union select * from unnest(${erased}::text[])
      union select c.phone from contact c join person p on c.workspace_id = ${workspaceId} and c.id = p.id
    )
    select e.id, iso(e.created_at) as at, e.opted_out as "optedOut", e.source, e.channel_type as "channelType",
      e.channel_id as "channelId", e.detail, e.contact_id as "contactId", e.phone, e.held, e.evidence, e.given_source as "givenSource"
    from (
      select x.* from known k cross join lateral (select * from consent_entry
        where workspace_id = ${workspaceId} and contact_id = k.id and id < ${below} and (${held} or not held)
        order by id desc limit ${newest}) x
      union
      select x.* from number n cross join lateral (select * from consent_entry
        where workspace_id = ${workspaceId} and phone = n.phone and id < ${below} and (${held} or not held)
        order by id desc limit ${newest}) x
      order by id desc limit ${newest}
    ) e
    order by e.id`);
}
