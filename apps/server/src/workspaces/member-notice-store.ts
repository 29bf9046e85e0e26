import type { Queryable, Tx } from "../db/database.ts";
import { ifGiven, sql } from "../db/sql.ts";
import type { HandledNotices, MemberNoticeRow, NewMemberNotice } from "./member-notice.ts";

/** Stores notices to members in one statement. */
export async function insertMemberNotices(
  tx: Tx,
  workspaceId: string,
  rows: readonly (NewMemberNotice & { readonly id: string; readonly at: Date })[],
): Promise<void> {
  await tx.query(sql`
    insert into member_notice (workspace_id, member_id, id, kind, subject, body, ref, conversation_id, note_id, facts,
      created_at)
    select ${workspaceId}, * from unnest(${rows.map((row) => row.memberId)}::uuid[], ${rows.map((row) => row.id)}::uuid[],
      ${rows.map((row) => row.kind)}::text[], ${rows.map((row) => row.subject)}::text[],
      ${rows.map((row) => row.body)}::text[], ${rows.map((row) => row.ref)}::text[],
      ${rows.map((row) => row.conversationId)}::uuid[], ${rows.map((row) => row.noteId ?? null)}::uuid[],
      ${rows.map((row) => JSON.stringify(row.facts ?? {}))}::jsonb[], ${rows.map((row) => row.at)}::timestamptz[])`);
}

/** A member's own notices, newest first, with ids below `below`. */
export function selectMemberNotices(
  db: Queryable,
  key: { readonly workspaceId: string; readonly memberId: string },
  below: string,
  limit: number,
): Promise<MemberNoticeRow[]> {
  return db.query<MemberNoticeRow>(sql`
    select id, kind, subject, body, ref, facts, created_at as "createdAt", read_at as "readAt" from member_notice
    where workspace_id = ${key.workspaceId} and member_id = ${key.memberId} and id < ${below}
    order by id desc limit ${limit}`);
}

/** How many unread notices each of these members has, counted up to `most`. */
export async function countUnreadNotices(
  db: Queryable,
  workspaceId: string,
  memberIds: readonly string[],
  most: number,
): Promise<ReadonlyMap<string, number>> {
  const rows = await db.query<{ id: string; n: number }>(sql`
    select m.id, (select count(*)::int from (select 1 from member_notice
      where workspace_id = ${workspaceId} and member_id = m.id and read_at is null limit ${most}) u) as n
    from unnest(${memberIds}::uuid[]) m (id)`);
  return new Map(rows.map(({ id, n }) => [id, n]));
}

/** Marks these notices of a member as read, or all (null). */
export async function readNotices(
  db: Queryable,
  key: { readonly workspaceId: string; readonly memberId: string },
  ids: readonly string[] | null,
  at: Date,
): Promise<void> {
  await db.query(sql`
    update member_notice set read_at = ${at}
    where workspace_id = ${key.workspaceId} and member_id = ${key.memberId} and read_at is null
      ${ifGiven(ids, (given) => sql`and id = any(${given}::uuid[])`)}`);
}

/** Marks the unread notices of a conversation as read: those that `whose` names. Answers whether there were any. */
export async function readNoticesOfConversation(
  db: Queryable,
  workspaceId: string,
  conversationId: string,
  whose: HandledNotices,
  at: Date,
): Promise<boolean> {
  const { memberId, assigned, all } = whose;
  const rows = await db.query(sql`
    update member_notice set read_at = ${at}
    where workspace_id = ${workspaceId} and conversation_id = ${conversationId} and read_at is null
      and (${all}::boolean or member_id = ${memberId}::uuid or ${assigned}::boolean and kind = 'assigned')
    returning 1`);
  return rows.length > 0;
}

/** Removes the notices of a note in a conversation. */
export async function deleteNoticesOfNote(
  tx: Tx,
  workspaceId: string,
  conversationId: string,
  noteId: string,
): Promise<void> {
  await tx.query(sql`
    delete from member_notice
    where workspace_id = ${workspaceId} and conversation_id = ${conversationId} and note_id = ${noteId}`);
}

/** Moves the notices of one conversation to another. */
export async function moveNotices(
  tx: Tx,
  workspaceId: string,
  fromId: string,
  intoId: string,
): Promise<void> {
  await tx.query(sql`
    update member_notice set conversation_id = ${intoId}, ref = replace(ref, ${fromId}::text, ${intoId}::text)
    where workspace_id = ${workspaceId} and conversation_id = ${fromId}`);
}

/** Removes the notices of notes in conversations. */
export async function deleteNoticesOfNotes(
  tx: Tx,
  workspaceId: string,
  conversationIds: readonly string[],
  noteIds: readonly string[],
): Promise<void> {
  await tx.query(sql`
    delete from member_notice where workspace_id = ${workspaceId}
      and conversation_id = any(${conversationIds}::uuid[]) and note_id = any(${noteIds}::uuid[])`);
}
