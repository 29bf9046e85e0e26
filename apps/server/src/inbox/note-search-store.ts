import { contactAt } from "../contacts/record/contact-sql.ts";
import { conversationAt } from "../conversations/conversation-sql.ts";
import type { Queryable, Tx } from "../db/database.ts";
import { sql } from "../db/sql.ts";
import type { ChannelType } from "../wire/words.ts";
import { termsOfNote } from "./note-store.ts";

export interface FoundNote {
  readonly id: string;
  readonly conversationId: string;
  readonly contactId: string;
  readonly contactName: string | null;
  readonly phone: string | null;
  readonly externalId: string;
  readonly channelType: ChannelType;
  readonly at: Date;
  readonly text: string;
}

/** This many of the newest notes are read before the index is asked, which gives all hits of a word to be sorted. */
const NEAR = 400;

/** Ids of notes that have the words, the newest first, and how many there are at least. */
export async function selectNoteMatches(
  db: Queryable,
  workspaceId: string,
  query: string,
  page: { readonly before: string; readonly limit: number; readonly most: number },
): Promise<{ readonly ids: readonly string[]; readonly total: number; readonly exact: boolean }> {
  const { before, limit, most } = page;
  const near = await db.query<{ id: string }>(sql`
    select id from (select id, terms from note
      where workspace_id = ${workspaceId} and id < ${before}
      order by id desc limit ${NEAR}::int) n
    where terms @@ ${query}::tsquery order by id desc`);
  if (near.length >= limit)
    return { ids: near.slice(0, limit).map(({ id }) => id), total: near.length, exact: false };
  const all = await db.query<{ id: string; total: number }>(sql`
    with hit as materialized (select id from note
      where workspace_id = ${workspaceId} and id < ${before} and terms @@ ${query}::tsquery)
    select id, (select least(count(*), ${most}::int)::int from hit) as total
    from hit order by id desc limit ${limit}::int`);
  const total = all[0]?.total ?? 0;
  return { ids: all.map(({ id }) => id), total, exact: total < most };
}

/** These notes with the customers of their conversations, the newest first. Deleted notes are left out. */
export function selectFoundNotes(
  db: Queryable,
  workspaceId: string,
  ids: readonly string[],
): Promise<FoundNote[]> {
  return db.query(sql`
    select n.id, n.conversation_id as "conversationId", c.contact_id as "contactId", p.name as "contactName", p.phone,
      c.external_id as "externalId", c.channel_type as "channelType", n.created_at as at, n.text
    from unnest(${ids}::uuid[]) k (id)
    cross join lateral (select * from note where workspace_id = ${workspaceId} and id = k.id limit 1) n
    cross join lateral ${conversationAt(workspaceId, sql`n.conversation_id`)} c
    left join lateral ${contactAt(workspaceId, sql`c.contact_id`)} p on true
    where n.deleted_at is null order by n.id desc`);
}

interface UnsearchedNote {
  readonly workspaceId: string;
  readonly id: string;
  readonly text: string;
}

/** Some of the notes that are older than the search. Those that another process works on are left out. */
export function lockUnsearchedNotes(tx: Tx, limit: number): Promise<UnsearchedNote[]> {
  return tx.query(sql`
    select workspace_id as "workspaceId", id, text from note
    where terms is null and deleted_at is null
    order by workspace_id, id limit ${limit}::int for update skip locked`);
}

/** Writes the words of notes, in the order given. */
export async function putNoteTerms(tx: Tx, notes: readonly UnsearchedNote[]): Promise<void> {
  await tx.query(sql`
    update note n set terms = k.terms
    from unnest(${notes.map((note) => note.workspaceId)}::uuid[], ${notes.map((note) => note.id)}::uuid[],
      ${notes.map((note) => termsOfNote(note.workspaceId, note.text))}::tsvector[]) k (workspace_id, id, terms)
    where n.workspace_id = k.workspace_id and n.id = k.id`);
}
