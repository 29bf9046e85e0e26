import type { Context } from "../../context.ts";
import type { Queryable, Tx } from "../../db/database.ts";
import { sql, type Sql } from "../../db/sql.ts";
import { beginningOf } from "../../lib/beginning-of.ts";
import { numberForms } from "../identity/erased-number.ts";
import type { ContactRow } from "../record/contact.ts";
import type { ConsentChange } from "./set-consent.ts";

// Opted-out numbers, and the ledger. A number is stored in digits, or as its hash when no contact has it. Callers
// give digits; only this file and the ledger's search look for both forms.

/** A number in digits. */
interface PhoneNumber {
  readonly workspaceId: string;
  readonly phone: string;
}

type Keys = Pick<Context, "sealer">;

const formsOf = (context: Keys, numbers: readonly PhoneNumber[]) =>
  numbers.map(({ workspaceId, phone }) => numberForms(context, workspaceId, phone));

function given(context: Keys, numbers: readonly PhoneNumber[]): Sql {
  const forms = formsOf(context, numbers);
  return sql`(select distinct * from unnest(
    ${forms.map((one) => one.workspaceId)}::uuid[], ${forms.map((one) => one.phone)}::text[],
    ${forms.map((one) => one.erased)}::text[], ${forms.map((one) => one.erasedElse)}::text[])
    as u (workspace_id, phone, erased, erased_else)) n`;
}

type Form = "phone" | "erased";

/** Moves opt-outs that are stored in one form of a number to the other form. */
async function changeForm(
  context: Keys,
  tx: Tx,
  numbers: readonly PhoneNumber[],
  from: Form,
  to: Form,
): Promise<void> {
  if (numbers.length === 0) return;
  const stored = { phone: sql`(n.phone)`, erased: sql`(n.erased, n.erased_else)` };
  const columns = { phone: sql`n.phone`, erased: sql`n.erased` };
  await tx.query(sql`
    with found as (
      delete from opted_out_phone o using ${given(context, numbers)}
      where o.workspace_id = n.workspace_id and o.phone in ${stored[from]}
      returning o.workspace_id, ${columns[to]} as form, o.since
    )
    insert into opted_out_phone (workspace_id, phone, since)
    select workspace_id, form, since from found order by workspace_id, form
    on conflict (workspace_id, phone) do nothing`);
}

/**
 * Numbers that a contact has again: an opt-out of which only the hash was left is stored in digits again, where a
 * campaign's audience looks.
 */
export const revealNumbers = (context: Keys, tx: Tx, numbers: readonly PhoneNumber[]) =>
  changeForm(context, tx, numbers, "erased", "phone");

/** The reverse: opt-outs of these numbers keep only the hash. */
export const hashNumbers = (context: Keys, tx: Tx, numbers: readonly PhoneNumber[]) =>
  changeForm(context, tx, numbers, "phone", "erased");

/** Opted-out numbers in digits that no contact had when they were stored, from before `before`. */
export function selectNobodys(
  db: Queryable,
  before: Date,
  limit: number,
): Promise<{ readonly workspaceId: string; readonly phone: string; readonly since: Date }[]> {
  return db.query(sql`
    select workspace_id as "workspaceId", phone, since from opted_out_phone
    where nobodys_since < ${before} order by nobodys_since limit ${limit}`);
}

/** Marks numbers that a contact has by now: they stay in digits. */
export async function restoreOwnedNumbers(
  tx: Tx,
  workspaceId: string,
  phones: readonly string[],
): Promise<void> {
  if (phones.length === 0) return;
  await tx.query(sql`
    update opted_out_phone set nobodys_since = null
    where workspace_id = ${workspaceId} and phone = any(${phones}::text[])`);
}

/** Ledger lines of numbers without a contact keep only the hash; those of contacts stay. */
export async function hashUnownedLedger(
  context: Keys,
  tx: Tx,
  numbers: readonly PhoneNumber[],
): Promise<void> {
  if (numbers.length === 0) return;
  await tx.query(sql`
    update consent_entry e set phone = n.erased from ${given(context, numbers)}
    where e.workspace_id = n.workspace_id and e.phone = n.phone and e.contact_id is null`);
}

/** Those of the numbers that a contact has. */
export async function numbersInUse(
  db: Queryable,
  workspaceId: string,
  phones: readonly string[],
): Promise<string[]> {
  const rows = await db.query<{ phone: string }>(sql`
    select p.phone from unnest(${phones}::text[]) as p (phone) cross join lateral (
      select 1 from contact where workspace_id = ${workspaceId} and phone = p.phone limit 1) c`);
  return rows.map((row) => row.phone);
}

/** Numbers in the ledger of these contacts. */
export async function ledgerPhones(
  db: Queryable,
  workspaceId: string,
  contactIds: readonly string[],
): Promise<string[]> {
  const rows = await db.query<{ phone: string }>(sql`
    select distinct phone from consent_entry
    where workspace_id = ${workspaceId} and contact_id = any(${contactIds}::uuid[]) and phone not like '#%'`);
  return rows.map((row) => row.phone);
}

/**
 * The ledger keeps that somebody asked, when and where, but not who it was: digits become the hash, words are
 * removed. Changes all rows of `numbers`; of `past` (numbers that belong to somebody else by now) only the
 * contacts' own rows.
 */
export async function hashLedger(
  context: Keys,
  tx: Tx,
  workspaceId: string,
  contactIds: readonly string[],
  numbers: readonly PhoneNumber[],
  past: readonly PhoneNumber[],
): Promise<void> {
  await tx.query(sql`
    update consent_entry e set phone = n.erased, detail = null, evidence = null, given_source = null from ${given(context, numbers)}
    where e.workspace_id = n.workspace_id and e.phone = n.phone`);
  await tx.query(sql`
    update consent_entry e set phone = n.erased from ${given(context, past)}
    where e.workspace_id = n.workspace_id and e.phone = n.phone and e.contact_id = any(${contactIds}::uuid[])`);
  await tx.query(sql`
    update consent_entry set detail = null, evidence = null, given_source = null
    where workspace_id = ${workspaceId} and contact_id = any(${contactIds}::uuid[])
      and (detail is not null or evidence is not null or given_source is not null)`);
}

/** The numbers of these contacts, of those that have one. */
export function contactPhones(
  db: Queryable,
  workspaceId: string,
  contactIds: readonly string[],
): Promise<{ phone: string }[]> {
  return db.query(sql`
    select phone from contact
    where workspace_id = ${workspaceId} and id = any(${contactIds}::uuid[]) and phone is not null`);
}

/** An opted-out number in digits; `key` is the form in which it is stored. */
interface OptedOutNumber {
  readonly workspaceId: string;
  readonly phone: string;
  readonly key: string;
  readonly since: Date;
}

/** Those of the numbers that are opted out, also by a former owner who was erased. */
export async function optedOutNumbers(
  context: Keys,
  tx: Tx,
  numbers: readonly { readonly workspaceId: string; readonly phone: string }[],
): Promise<readonly OptedOutNumber[]> {
  if (numbers.length === 0) return [];
  const keys = formsOf(context, numbers).flatMap((one) => [
    { ...one, key: one.phone },
    { ...one, key: one.erased },
    { ...one, key: one.erasedElse },
  ]);
  return tx.query<OptedOutNumber>(sql`
    select k.workspace_id as "workspaceId", k.phone, k.key, o.since
    from (select distinct * from unnest(${keys.map((one) => one.workspaceId)}::uuid[],
      ${keys.map((one) => one.phone)}::text[], ${keys.map((one) => one.key)}::text[])
      as u (workspace_id, phone, key)) k
    join opted_out_phone o on o.workspace_id = k.workspace_id and o.phone = k.key`);
}

/**
 * Gives the same contacts, each opted out since its number was. An erased person's number counts too and is stored
 * in digits again, because the contacts are about to be stored.
 */
export async function withNumberConsent<Row extends ContactRow>(
  context: Keys,
  tx: Tx,
  rows: readonly Row[],
): Promise<Row[]> {
  const asked = rows.flatMap(({ workspaceId, phone, optedOutAt }) =>
    phone === null || optedOutAt !== null ? [] : [{ workspaceId, phone }],
  );
  const found = await optedOutNumbers(context, tx, asked);
  if (found.length === 0) return [...rows];
  await revealNumbers(
    context,
    tx,
    found.filter((one) => one.key !== one.phone),
  );
  const since = new Map(found.map((o) => [JSON.stringify([o.workspaceId, o.phone]), o.since]));
  return rows.map((row) => ({
    ...row,
    optedOutAt: row.optedOutAt ?? since.get(JSON.stringify([row.workspaceId, row.phone])) ?? null,
  }));
}

/** A contact or a number whose consent changes. */
export interface ConsentTarget {
  readonly workspaceId: string;
  readonly phone: string | null;
  readonly change: ConsentChange;
}

/**
 * Gives the numbers whose consent changed, as `[workspaceId, phone]` in JSON, and the form in which each is
 * stored. The number of an erased person is stored as its hash, and in digits again only when a contact has it
 * again. A number that no contact has (`had`) is marked, and `hashUnownedNumbers` makes it a hash.
 */
export async function moveNumbers(
  context: Pick<Context, "clock" | "sealer">,
  tx: Tx,
  numbers: readonly (ConsentTarget & { readonly phone: string })[],
  optedOut: boolean,
  had: ReadonlySet<string>,
): Promise<Map<string, string>> {
  if (numbers.length === 0) return new Map();
  const now = context.clock.now();
  // A number that arrives as a hash (in a late receipt) belongs to no contact.
  const nobodysSince = ({ workspaceId, phone }: { workspaceId: string; phone: string }) =>
    phone.startsWith("#") || had.has(JSON.stringify([workspaceId, phone])) ? null : now;
  const forms = formsOf(context, numbers);
  const given = sql`unnest(${forms.map((one) => one.workspaceId)}::uuid[],
    ${forms.map((one) => one.phone)}::text[], ${forms.map((one) => one.erased)}::text[],
    ${forms.map((one) => one.erasedElse)}::text[], ${numbers.map((one) => one.change.at)}::timestamptz[],
    ${numbers.map(nobodysSince)}::timestamptz[])
    as n (workspace_id, phone, erased, erased_else, at, nobodys_since)`;
  // Sorted as in the insert below: a number has two spellings, and another change may begin with the other one.
  if (!optedOut)
    tx.later(
      tx.query(sql`select 1 from ${given} join opted_out_phone o on o.workspace_id = n.workspace_id
        and o.phone in (n.phone, n.erased, n.erased_else) order by o.workspace_id, o.phone for update of o`),
    );
  const rows = await tx.query<{ workspace_id: string; phone: string; stored: string }>(
    optedOut
      ? sql`insert into opted_out_phone (workspace_id, phone, since, nobodys_since)
          select workspace_id, phone, at, nobodys_since from ${given}
          where not exists (select 1 from opted_out_phone e where e.workspace_id = n.workspace_id and e.phone in (n.erased, n.erased_else))
          order by workspace_id, phone
          on conflict (workspace_id, phone) do nothing returning workspace_id, phone, phone as stored`
      : sql`delete from opted_out_phone o using ${given}
          where o.workspace_id = n.workspace_id and o.phone in (n.phone, n.erased, n.erased_else)
            and date_trunc('second', o.since) <= date_trunc('second', n.at)
          returning n.workspace_id, n.phone, o.phone as stored`,
  );
  return new Map(rows.map((row) => [JSON.stringify([row.workspace_id, row.phone]), row.stored]));
}

/** Writes one ledger line for each contact or number whose consent changed, or whose opt-in is held. */
export async function writeEntries(
  context: Pick<Context, "ids">,
  tx: Tx,
  rows: readonly (ConsentTarget & { readonly id: string | null; readonly held?: boolean })[],
): Promise<void> {
  if (rows.length === 0) return;
  const of = rows.map((row) => row.change);
  await tx.query(sql`
    insert into consent_entry (workspace_id, id, contact_id, phone, opted_out, source, channel_type, channel_id,
      detail, created_at, held, by_customer, evidence, given_source)
    select * from unnest(${rows.map((row) => row.workspaceId)}::uuid[], ${rows.map(() => context.ids.next())}::uuid[],
      ${rows.map((row) => row.id)}::uuid[], ${rows.map((row) => row.phone)}::text[],
      ${of.map((change) => change.optedOut)}::boolean[], ${of.map((change) => change.source)}::text[],
      ${of.map((change) => change.channelType ?? null)}::text[], ${of.map((change) => change.channelId ?? null)}::uuid[],
      ${of.map((change) => (change.detail ? beginningOf(change.detail, 200) : null))}::text[], ${of.map((change) => change.at)}::timestamptz[],
      ${rows.map((row) => row.held ?? false)}::boolean[], ${of.map((change) => change.byCustomer ?? false)}::boolean[],
      ${of.map((change) => change.evidence ?? null)}::text[], ${of.map((change) => change.givenSource ?? null)}::text[])`);
}
