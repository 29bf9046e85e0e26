import type { Queryable, Tx } from "../../db/database.ts";
import { parameterOf } from "../../db/parameter.ts";
import { sql } from "../../db/sql.ts";
import { attributeTerms } from "../attributes/attribute-terms.ts";
import { removeRefs } from "../refs/ref-store.ts";
import { searchText, type ContactRow, type NewContactRow } from "./contact.ts";

/** The stored JSON of contacts of one workspace. */
export async function contactDocuments(
  db: Queryable,
  workspaceId: string,
  ids: readonly string[],
): Promise<string[]> {
  const rows = await db.query<{ document: string }>(sql`
    select document from contact where workspace_id = ${workspaceId} and id = any(${ids}::uuid[])`);
  // A merged contact answers as the contact it became.
  const merged =
    rows.length < new Set(ids).size
      ? await db.query<{ document: string }>(sql`
          select c.document from contact_alias a
          join contact c on c.workspace_id = a.workspace_id and c.id = a.contact_id
          where a.workspace_id = ${workspaceId} and a.id = any(${ids}::uuid[])
            and a.contact_id <> all (${ids}::uuid[])`)
      : [];
  return [...new Set([...rows, ...merged].map((row) => row.document))];
}

/** The stored JSON of contacts, each with the time of its last change. A merged contact is not among them. */
export function selectDocuments(
  db: Queryable,
  workspaceId: string,
  ids: readonly string[],
): Promise<{ id: string; document: string; updatedAt: string }[]> {
  return db.query(sql`
    select id, document, iso(updated_at) as "updatedAt" from contact
    where workspace_id = ${workspaceId} and id = any(${ids}::uuid[])`);
}

// unnest() flattens nested arrays, so a row's tags travel as the text of an array.
const tagsText = (row: ContactRow): unknown => parameterOf(row.tags);

const column = <K extends keyof ContactRow>(rows: readonly ContactRow[], key: K): ContactRow[K][] =>
  rows.map((row) => row[key]);

const termsOf = (row: ContactRow): string | null => attributeTerms(row.attributes);

/** Adds contacts in one statement. The totals are moved by the caller (`moveTotals`) in the same transaction. */
export async function insertContacts(tx: Tx, rows: readonly NewContactRow[]): Promise<void> {
  if (rows.length === 0) return;
  await tx.query(sql`
    insert into contact (workspace_id, id, name, email, phone, notes, channel_type, external_id, tags, attributes,
      attribute_terms, opted_out_at, last_seen_at, created_at, updated_at, search, author)
    select w, i, n, e, p, o, ct, x, t::text[], a::json, terms::tsvector, oo, ls, c, c, s, by from unnest(
      ${column(rows, "workspaceId")}::uuid[], ${column(rows, "id")}::uuid[], ${column(rows, "name")}::text[],
      ${column(rows, "email")}::text[], ${column(rows, "phone")}::text[], ${column(rows, "notes")}::text[],
      ${column(rows, "channelType")}::text[], ${column(rows, "externalId")}::text[],
      ${rows.map(tagsText)}::text[], ${rows.map((row) => JSON.stringify(row.attributes))}::text[],
      ${column(rows, "optedOutAt")}::timestamptz[], ${column(rows, "lastSeenAt")}::timestamptz[],
      ${column(rows, "createdAt")}::timestamptz[], ${rows.map(searchText)}::text[],
      ${rows.map(termsOf)}::text[], ${rows.map((row) => row.author)}::text[]
    ) as r(w, i, n, e, p, o, ct, x, t, a, oo, ls, c, s, terms, by)`);
}

/** Writes the changed columns of contacts that the caller has locked. */
export async function updateContacts(
  tx: Tx,
  rows: readonly ContactRow[],
  updatedAt: Date,
): Promise<void> {
  if (rows.length === 0) return;
  await tx.query(sql`
    update contact c set name = n, email = e, phone = p, notes = o, channel_type = ct, external_id = x,
      tags = t::text[], attributes = a::json, attribute_terms = terms::tsvector, opted_out_at = oo,
      search = s, updated_at = ${updatedAt}
    from unnest(
      ${column(rows, "workspaceId")}::uuid[], ${column(rows, "id")}::uuid[], ${column(rows, "name")}::text[],
      ${column(rows, "email")}::text[], ${column(rows, "phone")}::text[], ${column(rows, "notes")}::text[],
      ${column(rows, "channelType")}::text[], ${column(rows, "externalId")}::text[],
      ${rows.map(tagsText)}::text[], ${rows.map((row) => JSON.stringify(row.attributes))}::text[],
      ${column(rows, "optedOutAt")}::timestamptz[], ${rows.map(searchText)}::text[], ${rows.map(termsOf)}::text[]
    ) as r(w, i, n, e, p, o, ct, x, t, a, oo, s, terms)
    where c.workspace_id = r.w and c.id = r.i`);
}

interface StoredRow {
  id: string;
  name: string | null;
  email: string | null;
  phone: string | null;
  notes: string | null;
  channel_type: ContactRow["channelType"];
  external_id: string | null;
  tags: string[];
  attributes: ContactRow["attributes"];
  opted_out_at: Date | null;
  last_seen_at: Date | null;
  created_at: Date;
}

/** The kept contact: the contact itself, or the one it was merged into. */
export async function currentId(db: Queryable, workspaceId: string, id: string): Promise<string> {
  const [row] = await db.query<{ id: string }>(sql`
    select contact_id as id from contact_alias where workspace_id = ${workspaceId} and id = ${id}`);
  return row?.id ?? id;
}

/**
 * Locks contacts in the order of their ids, so that two writers of the same people never wait for each other in a
 * ring.
 */
export async function lockContacts(
  tx: Tx,
  workspaceId: string,
  ids: readonly string[],
): Promise<ContactRow[]> {
  const rows = await tx.query<StoredRow>(sql`
    select id, name, email, phone, notes, channel_type, external_id, tags, attributes, opted_out_at, last_seen_at,
      created_at
    from contact where workspace_id = ${workspaceId} and id = any(${ids}::uuid[]) order by id for update`);
  return rows.map((row) => ({
    workspaceId,
    id: row.id,
    name: row.name,
    email: row.email,
    phone: row.phone,
    notes: row.notes,
    channelType: row.channel_type,
    externalId: row.external_id,
    tags: row.tags,
    attributes: row.attributes,
    optedOutAt: row.opted_out_at,
    lastSeenAt: row.last_seen_at,
    createdAt: row.created_at,
  }));
}

/**
 * Removes contacts, their identities, their refs and the history of their changes. Gives the ids of those that existed.
 * The caller moves the totals.
 */
export async function removeContacts(
  tx: Tx,
  workspaceId: string,
  ids: readonly string[],
): Promise<string[]> {
  await removeRefs(tx, workspaceId, ids);
  const rows = await tx.query<{ id: string }>(sql`
    with identities as (
      delete from contact_identity where workspace_id = ${workspaceId} and contact_id = any(${ids}::uuid[])
    ), changes as (
      delete from contact_change where workspace_id = ${workspaceId} and contact_id = any(${ids}::uuid[])
    )
    delete from contact where workspace_id = ${workspaceId} and id = any(${ids}::uuid[]) returning id`);
  return rows.map((row) => row.id);
}

/** Whether the workspace has any contact. */
export async function hasContacts(db: Queryable, workspaceId: string): Promise<boolean> {
  const rows = await db.query(
    sql`select 1 from contact where workspace_id = ${workspaceId} limit 1`,
  );
  return rows.length > 0;
}
