import type { Queryable, Tx } from "../db/database.ts";
import { sql } from "../db/sql.ts";
import { searchTerms } from "../messages/search/search-terms.ts";
import type { ThreadNote } from "./note.ts";

const COLUMNS = sql`id, conversation_id as "conversationId", member_id as "memberId",
  author, author_name as "authorName", text, mentions,
  created_at as "createdAt", edited_at as "editedAt", deleted_at as "deletedAt"`;

/** The words by which a note is found. Without one they are empty: null would mean that they are still to come. */
export const termsOfNote = (workspaceId: string, text: string): string =>
  searchTerms(workspaceId, text) ?? "";

/** Stores a note. */
export async function insertNote(tx: Tx, workspaceId: string, note: ThreadNote): Promise<void> {
  await tx.query(sql`
    insert into note (workspace_id, id, conversation_id, member_id, author, author_name, text, mentions, created_at, terms)
    values (${workspaceId}, ${note.id}, ${note.conversationId}, ${note.memberId}, ${note.author}, ${note.authorName},
      ${note.text}, ${note.mentions}::uuid[], ${note.createdAt}, ${termsOfNote(workspaceId, note.text)}::tsvector)`);
}

/** One note, locked until the transaction ends. */
export async function lockNote(
  tx: Tx,
  workspaceId: string,
  id: string,
): Promise<ThreadNote | null> {
  const [row] = await tx.query<ThreadNote>(sql`
    select ${COLUMNS} from note where workspace_id = ${workspaceId} and id = ${id} for update`);
  return row ?? null;
}

/** The conversation of a note, without a lock; null: there is no such note. */
export async function conversationOfNote(
  tx: Tx,
  workspaceId: string,
  id: string,
): Promise<string | null> {
  const [row] = await tx.query<{ conversationId: string }>(sql`
    select conversation_id as "conversationId" from note where workspace_id = ${workspaceId} and id = ${id}`);
  return row?.conversationId ?? null;
}

/** Stores an edit or a deletion. */
export async function replaceNote(tx: Tx, workspaceId: string, note: ThreadNote): Promise<void> {
  await tx.query(sql`
    update note set text = ${note.text}, mentions = ${note.mentions}::uuid[], edited_at = ${note.editedAt},
      deleted_at = ${note.deletedAt}, terms = ${termsOfNote(workspaceId, note.text)}::tsvector
    where workspace_id = ${workspaceId} and id = ${note.id}`);
}

/** The notes of a conversation between two ids, newest first. */
export function selectNotes(
  db: Queryable,
  workspaceId: string,
  conversationId: string,
  range: { readonly above: string; readonly below: string },
  limit: number,
): Promise<ThreadNote[]> {
  return db.query<ThreadNote>(sql`
    select ${COLUMNS} from note
    where workspace_id = ${workspaceId} and conversation_id = ${conversationId}
      and id > ${range.above} and id < ${range.below}
    order by id desc limit ${limit}`);
}

/** These notes of the conversation, as they are now. */
export function selectNotesById(
  db: Queryable,
  workspaceId: string,
  ids: readonly string[],
  conversationId: string,
): Promise<ThreadNote[]> {
  return db.query<ThreadNote>(sql`
    select ${COLUMNS} from note
    where workspace_id = ${workspaceId} and id = any(${ids}::uuid[])
      and conversation_id = ${conversationId}`);
}

/** Moves the notes of one conversation to another, and gives them. */
export function moveNotes(
  tx: Tx,
  workspaceId: string,
  fromId: string,
  intoId: string,
): Promise<ThreadNote[]> {
  return tx.query<ThreadNote>(sql`
    update note set conversation_id = ${intoId}
    where workspace_id = ${workspaceId} and conversation_id = ${fromId} returning ${COLUMNS}`);
}

/** The oldest notes of the workspace with an id below this one. */
export function selectOldNotes(
  tx: Tx,
  workspaceId: string,
  below: string,
  limit: number,
): Promise<{ readonly id: string; readonly conversationId: string }[]> {
  return tx.query(sql`
    select id, conversation_id as "conversationId" from note
    where workspace_id = ${workspaceId} and id < ${below} order by id limit ${limit}`);
}

/** Deletes notes for good, with their words in the search. */
export async function deleteNotes(
  tx: Tx,
  workspaceId: string,
  ids: readonly string[],
): Promise<void> {
  await tx.query(
    sql`delete from note where workspace_id = ${workspaceId} and id = any(${ids}::uuid[])`,
  );
}
