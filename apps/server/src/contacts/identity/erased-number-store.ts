import type { Queryable, Tx } from "../../db/database.ts";
import { sql, type Sql } from "../../db/sql.ts";

/** A number as digits, and as what is left of it when its person was erased. */
export interface NumberForms {
  readonly workspaceId: string;
  readonly phone: string;
  readonly erased: string;
}

const given = (numbers: readonly NumberForms[]): Sql => sql`(select distinct * from unnest(
  ${numbers.map((one) => one.workspaceId)}::uuid[], ${numbers.map((one) => one.phone)}::text[],
  ${numbers.map((one) => one.erased)}::text[]) as u (workspace_id, phone, erased)) n`;

/**
 * Numbers that a contact has again: an opt-out with only its hash left stands under the digits from now on,
 * where the audience of a campaign looks.
 */
export async function revealNumbers(tx: Tx, numbers: readonly NumberForms[]): Promise<void> {
  if (numbers.length === 0) return;
  await tx.query(sql`
    with found as (
      delete from opted_out_phone o using ${given(numbers)}
      where o.workspace_id = n.workspace_id and o.phone = n.erased
      returning o.workspace_id, n.phone, o.since
    )
    insert into opted_out_phone (workspace_id, phone, since)
    select workspace_id, phone, since from found order by workspace_id, phone
    on conflict (workspace_id, phone) do nothing`);
}

/** The other way: opt-outs of numbers, and the ledger of the person and of the numbers, keep the hash alone. */
export async function hashNumbers(tx: Tx, numbers: readonly NumberForms[]): Promise<void> {
  if (numbers.length === 0) return;
  await tx.query(sql`
    with found as (
      delete from opted_out_phone o using ${given(numbers)}
      where o.workspace_id = n.workspace_id and o.phone = n.phone
      returning o.workspace_id, n.erased, o.since
    )
    insert into opted_out_phone (workspace_id, phone, since)
    select workspace_id, erased, since from found order by workspace_id, erased
    on conflict (workspace_id, phone) do nothing`);
}

/** Opted-out numbers in digits that no contact had when they were stored, before `before`. */
export function selectNobodys(
  db: Queryable,
  before: Date,
  limit: number,
): Promise<{ readonly workspaceId: string; readonly phone: string; readonly since: Date }[]> {
  return db.query(sql`
    select workspace_id as "workspaceId", phone, since from opted_out_phone
    where nobodys_since < ${before} order by nobodys_since limit ${limit}`);
}

/** They are somebody's by now: they stay in digits. */
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

/** The ledger's lines of numbers without a contact keep the hash alone; those of contacts stay. */
export async function hashUnownedLedger(tx: Tx, numbers: readonly NumberForms[]): Promise<void> {
  if (numbers.length === 0) return;
  await tx.query(sql`
    update consent_entry e set phone = n.erased from ${given(numbers)}
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

/** Numbers that stand in the ledger of these contacts. */
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
 * The ledger keeps that somebody asked, when and where, but not the person: digits become the hash, words go. Of `numbers`
 * all rows, of `past` (numbers that are somebody else's by now) only those of the contacts.
 */
export async function hashLedger(
  tx: Tx,
  workspaceId: string,
  contactIds: readonly string[],
  numbers: readonly NumberForms[],
  past: readonly NumberForms[],
): Promise<void> {
  await tx.query(sql`
    update consent_entry e set phone = n.erased, detail = null from ${given(numbers)}
    where e.workspace_id = n.workspace_id and e.phone = n.phone`);
  await tx.query(sql`
    update consent_entry e set phone = n.erased from ${given(past)}
    where e.workspace_id = n.workspace_id and e.phone = n.phone and e.contact_id = any(${contactIds}::uuid[])`);
  await tx.query(sql`
    update consent_entry set detail = null
    where workspace_id = ${workspaceId} and contact_id = any(${contactIds}::uuid[]) and detail is not null`);
}

/** The numbers of those of the contacts that have one. */
export function contactPhones(
  db: Queryable,
  workspaceId: string,
  contactIds: readonly string[],
): Promise<{ phone: string }[]> {
  return db.query(sql`
    select phone from contact
    where workspace_id = ${workspaceId} and id = any(${contactIds}::uuid[]) and phone is not null`);
}
