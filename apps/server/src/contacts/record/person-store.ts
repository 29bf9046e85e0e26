import type { Queryable, Tx } from "../../db/database.ts";
import { sql } from "../../db/sql.ts";
import { keyMark, quoteTerm, textTerm } from "../attributes/attribute-terms.ts";
import { removeRefs } from "../refs/ref-store.ts";
import type { KnownIdentity } from "./person.ts";

/**
 * Every id that a contact answers to, its own first: the id of the contact it was merged into, and those of
 * contacts merged into that one.
 */
export async function knownIds(db: Queryable, workspaceId: string, id: string): Promise<string[]> {
  const rows = await db.query<{ id: string }>(sql`
    with person as (
      select coalesce((select contact_id from contact_alias where workspace_id = ${workspaceId} and id = ${id}::uuid),
        ${id}::uuid) as id
    )
    select id, 0 as place from person
    union all
    select a.id, 1 from person p join contact_alias a on a.workspace_id = ${workspaceId} and a.contact_id = p.id
    order by place, id`);
  return rows.map((row) => row.id);
}

export interface Addresses {
  readonly phone: string | null;
  readonly email: string | null;
  readonly externalId: string | null;
}

/** The addresses by which the contact and those merged into it were reached; and whether the contact exists. */
export async function selectAddresses(
  db: Queryable,
  workspaceId: string,
  ids: readonly string[],
): Promise<(Addresses & { readonly alive: boolean })[]> {
  return db.query(sql`
    select phone, email, external_id as "externalId", true as alive from contact
    where workspace_id = ${workspaceId} and id = any(${ids}::uuid[])
    union all
    select a.document::json ->> 'phone', a.document::json ->> 'email', a.document::json ->> 'externalId', false
    from contact_alias a where a.workspace_id = ${workspaceId} and a.id = any(${ids}::uuid[])`);
}

/** Every id and number of these contacts on a channel, also retired ones, oldest first. */
export function selectIdentities(
  db: Queryable,
  workspaceId: string,
  ids: readonly string[],
): Promise<KnownIdentity[]> {
  return db.query<KnownIdentity>(sql`
    select channel_id as "channelId", external_id as "externalId", is_number as "isNumber",
      created_at as "since", retired_at as "retiredAt"
    from contact_identity where workspace_id = ${workspaceId} and contact_id = any(${ids}::uuid[])
    order by created_at, channel_id, external_id`);
}

/** Other contacts that have one of these numbers or e-mail addresses (folded). */
export function selectOthers(
  db: Queryable,
  workspaceId: string,
  ids: readonly string[],
  { phones, emails }: { readonly phones: readonly string[]; readonly emails: readonly string[] },
): Promise<{ id: string; phone: string | null; email: string | null }[]> {
  return db.query(sql`
    select id, phone, folded(email) as email from contact
    where workspace_id = ${workspaceId} and phone = any(${phones}::text[]) and id <> all(${ids}::uuid[])
    union
    select id, phone, folded(email) from contact
    where workspace_id = ${workspaceId} and folded(email) = any(array(select folded(v) from unnest(${emails}::text[]) as t(v))) and id <> all(${ids}::uuid[])`);
}

/**
 * A browser that signed in as a user with a contact left an anonymous contact, which is marked so. Found by the
 * index of attributes: without it all contacts of the workspace are read (90,000 pages of a million).
 */
export async function selectLeftBehind(
  db: Queryable,
  workspaceId: string,
  ids: readonly string[],
): Promise<string[]> {
  const mark = keyMark("web_merged_into");
  const query = ids.map((id) => quoteTerm(mark + textTerm(id))).join(" | ");
  const rows = await db.query<{ id: string }>(sql`
    select id from contact where workspace_id = ${workspaceId} and attribute_terms @@ ${query}::tsquery
      and attributes ->> 'web_merged_into' = any(${ids}::text[]) order by id`);
  return rows.map((row) => row.id);
}

/**
 * Removes everything among contacts that names the person, except the row itself and the ledger of consent. Which
 * ids were one person stays, without any text: an opt-out under one of them counts for the recipient under
 * another.
 */
export async function deleteTraces(
  tx: Tx,
  workspaceId: string,
  ids: readonly string[],
): Promise<void> {
  const mine = sql`workspace_id = ${workspaceId} and contact_id = any(${ids}::uuid[])`;
  await tx.query(sql`delete from contact_identity where ${mine}`);
  await removeRefs(tx, workspaceId, ids);
  await tx.query(sql`
    update contact_alias set document = '{}'
    where ${mine} or workspace_id = ${workspaceId} and id = any(${ids}::uuid[])`);
  await tx.query(sql`delete from profile_request where ${mine}`);
  await tx.query(sql`
    delete from contact_merge_due where workspace_id = ${workspaceId}
      and (keep_id = any(${ids}::uuid[]) or merged_id = any(${ids}::uuid[]))`);
}

/**
 * Locks those of the contacts that exist, so that nobody deletes them until the transaction ends. Gives their ids.
 * Does not block changes of them.
 */
export async function lockExistingContacts(
  tx: Tx,
  keys: readonly { readonly workspaceId: string; readonly id: string }[],
): Promise<Set<string>> {
  const rows = await tx.query<{ id: string }>(sql`
    select c.id from unnest(${keys.map((key) => key.workspaceId)}::uuid[], ${keys.map((key) => key.id)}::uuid[])
      as k (workspace_id, id)
    join contact c on c.workspace_id = k.workspace_id and c.id = k.id
    order by c.workspace_id, c.id for key share of c`);
  return new Set(rows.map((row) => row.id));
}

/** Records with these ids. `mergedAt` is null for a contact that exists. */
export function selectHistory(
  db: Queryable,
  workspaceId: string,
  ids: readonly string[],
): Promise<{ id: string; mergedAt: Date | null; document: string }[]> {
  return db.query(sql`
    select id, null::timestamptz as "mergedAt", document from contact
    where workspace_id = ${workspaceId} and id = any(${ids}::uuid[])
    union all
    select id, merged_at, document from contact_alias
    where workspace_id = ${workspaceId} and id = any(${ids}::uuid[]) and document <> '{}'
    order by "mergedAt" nulls first, id`);
}
