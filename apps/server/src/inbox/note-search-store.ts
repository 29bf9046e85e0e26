import { contactAt } from "../contacts/record/contact-sql.ts";
import { conversationAt } from "../conversations/conversation-sql.ts";
import type { Queryable, Tx } from "../db/database.ts";
import { sql } from "../db/sql.ts";
import type { SearchedTable } from "../messages/search/search-sql.ts";
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

export const NOTES: SearchedTable = { table: sql`note`, id: sql`id` };

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
