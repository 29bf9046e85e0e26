import type { Queryable, Tx } from "../../db/database.ts";
import { sql } from "../../db/sql.ts";
import { messageAt } from "../record/message-sql.ts";
import type { MessageKey } from "../record/message-store.ts";

/** What a message says now; null: it has no text any more. */
export interface SaidText extends MessageKey {
  readonly text: string | null;
}

/**
 * Takes messages that are due, with what they say now. Deleted messages are left out. Each message is given once,
 * even when several processes ask.
 */
export async function popDue(
  tx: Tx,
  limit: number,
): Promise<{ readonly taken: number; readonly texts: SaidText[] }> {
  const keys = await tx.query<MessageKey>(sql`
    delete from message_search_due where ctid = any (array(
      select ctid from message_search_due limit ${limit}::int for update skip locked))
    returning workspace_id as "workspaceId", message_id as id`);
  if (keys.length === 0) return { taken: 0, texts: [] };
  const texts = await tx.query<SaidText>(sql`
    select m.workspace_id as "workspaceId", m.id, m.text
    from (select distinct * from unnest(${keys.map((key) => key.workspaceId)}::uuid[],
      ${keys.map((key) => key.id)}::uuid[]) u (workspace_id, id) order by 1, 2) k
    cross join lateral ${messageAt(sql`k.workspace_id`, sql`k.id`)} m`);
  return { taken: keys.length, texts };
}

export interface IndexedTerms extends MessageKey {
  readonly terms: string;
}

/** Writes the words of messages in place of those that are there, in the order given. */
export async function putTerms(tx: Tx, rows: readonly IndexedTerms[]): Promise<void> {
  if (rows.length === 0) return;
  await tx.query(sql`
    insert into message_search (workspace_id, message_id, terms)
    select * from unnest(${rows.map((row) => row.workspaceId)}::uuid[], ${rows.map((row) => row.id)}::uuid[],
      ${rows.map((row) => row.terms)}::tsvector[])
    on conflict (workspace_id, message_id) do update set terms = excluded.terms`);
}

/** Removes messages that have no text any more. */
export async function dropTerms(tx: Tx, keys: readonly MessageKey[]): Promise<void> {
  if (keys.length === 0) return;
  await tx.query(sql`
    delete from message_search s using unnest(${keys.map((key) => key.workspaceId)}::uuid[],
      ${keys.map((key) => key.id)}::uuid[]) k (workspace_id, id)
    where s.workspace_id = k.workspace_id and s.message_id = k.id`);
}

/** How far the backfill of a workspace is: messages below this id are not in the search yet. */
export interface SearchPlace {
  readonly workspaceId: string;
  readonly below: string;
}

/**
 * The workspace with the newest message that is not in the search yet; null: there is none, or other processes
 * work on all of them.
 */
export async function lockPlace(tx: Tx): Promise<SearchPlace | null> {
  const [row] = await tx.query<SearchPlace>(sql`
    select workspace_id as "workspaceId", below from message_search_backfill
    order by below desc limit 1 for update skip locked`);
  return row ?? null;
}

/** Whether any workspace has messages that are not in the search yet. */
export async function hasPlaces(db: Queryable): Promise<boolean> {
  return (await db.query(sql`select 1 from message_search_backfill limit 1`)).length > 0;
}

/**
 * The messages before a place, the newest first: how many were looked at, the last of them, and the texts of those
 * that can be searched.
 */
export async function selectBefore(
  tx: Tx,
  place: SearchPlace,
  limit: number,
): Promise<{ readonly looked: number; readonly last: string | null; readonly texts: SaidText[] }> {
  const rows = await tx.query<{ id: string; text: string | null }>(sql`
    select id, case when source <> 'broadcast' then text end as text from message
    where workspace_id = ${place.workspaceId} and id < ${place.below} order by id desc limit ${limit}::int`);
  return {
    looked: rows.length,
    last: rows.at(-1)?.id ?? null,
    texts: rows
      .filter(({ text }) => text !== null)
      .map((row) => ({ ...row, workspaceId: place.workspaceId })),
  };
}

/** Whether messages of a workspace wait for the search: old ones, or new ones with ids below `before`. */
export async function selectUnsearched(
  db: Queryable,
  workspaceId: string,
  before: string,
): Promise<boolean> {
  const [row] = await db.query<{ behind: boolean }>(sql`
    select exists (select 1 from message_search_backfill where workspace_id = ${workspaceId})
      or exists (select 1 from message_search_due where workspace_id = ${workspaceId} and message_id < ${before}) as behind`);
  return row?.behind ?? false;
}

/** Notes that messages from `below` on are in the search. */
export async function movePlace(tx: Tx, { workspaceId, below }: SearchPlace): Promise<void> {
  await tx.query(
    sql`update message_search_backfill set below = ${below} where workspace_id = ${workspaceId}`,
  );
}

/** Ends the backfill of a workspace: all its messages are in the search. */
export async function dropPlace(tx: Tx, workspaceId: string): Promise<void> {
  await tx.query(sql`delete from message_search_backfill where workspace_id = ${workspaceId}`);
}
